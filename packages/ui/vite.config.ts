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
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
