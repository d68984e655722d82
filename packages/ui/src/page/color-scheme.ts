import { type ReadonlySignal, signal } from '@preact/signals';

/** Whether the system wants dark pages; follows it while the page is open. */
export function darkScheme(browser: Window): ReadonlySignal<boolean> {
  const query = browser.matchMedia('(prefers-color-scheme: dark)');
  const dark = signal(query.matches);
  query.addEventListener('change', () => {
    dark.value = query.matches;
  });
  return dark;
}
