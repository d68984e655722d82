import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeName = (typeof THEMES)[number];

const KEY = 'pilotlight.theme';

/** Light or dark: as the system has it, unless the reader chose; the choice is remembered by the browser. */
export class Theme {
  readonly choice: Signal<ThemeName>;
  readonly dark: ReadonlySignal<boolean>;

  constructor(private readonly browser: Window) {
    const query = browser.matchMedia('(prefers-color-scheme: dark)');
    const system = signal(query.matches);
    query.addEventListener('change', () => {
      system.value = query.matches;
    });
    this.choice = signal(this.remembered());
    this.dark = computed(() => (this.choice.value === 'system' ? system.value : this.choice.value === 'dark'));
    this.show();
  }

  choose(theme: ThemeName): void {
    this.choice.value = theme;
    this.show();
    try {
      this.browser.localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing: the choice holds for as long as the page is open.
    }
  }

  /** The style sheet asks for it there. */
  private show(): void {
    this.browser.document.documentElement.dataset['theme'] = this.choice.value;
  }

  private remembered(): ThemeName {
    try {
      const kept = this.browser.localStorage.getItem(KEY);
      return THEMES.find((theme) => theme === kept) ?? 'system';
    } catch {
      return 'system';
    }
  }
}
