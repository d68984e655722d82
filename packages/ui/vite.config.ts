import { defineConfig, type Rolldown } from 'vite';

/** Whether a module is part of the first load: the page itself, and what that imports without waiting. */
function isFirst(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const info = context.getModuleInfo(id);
  return info?.isEntry === true || (info?.importers.some((above) => isFirst(above, context, seen)) ?? false);
}

export default defineConfig({
  // Relative: the page also works below a path of a proxy.
  base: './',
  build: {
    outDir: 'site',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is put into the page itself: the server's policy allows no inline script, style or data.
    assetsInlineLimit: 0,
    // One style sheet: a late one that once failed to load is never asked for again, and its part of the page stays without.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Left alone, what late parts share with the first load becomes a dozen small files, which pack worse and are asked for one by one.
        codeSplitting: { groups: [{ name: (id, context) => (isFirst(id, context) ? 'page' : null) }] },
      },
    },
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
