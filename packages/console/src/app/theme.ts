import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const STORAGE_KEY = 'quern-theme';
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** The chosen colour theme; `auto` follows the system. */
export const theme = signal<Theme>('auto');

/** Applies the chosen theme and stores it. */
export function startTheme(): void {
  const storedTheme = readStoredTheme();
  theme.value = THEMES.find((one) => one === storedTheme) ?? 'auto';
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    try {
      localStorage.setItem(STORAGE_KEY, theme.value);
    } catch {
      // Without local storage, the choice lasts until the page is closed.
    }
  });
}

/** Switches to the next theme. */
export function cycleTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}

function readStoredTheme(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}
