import { defineConfig } from 'vite';

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
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
