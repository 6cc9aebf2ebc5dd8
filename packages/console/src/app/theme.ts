import { effect, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

const PLACE = 'quern-theme';
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** The colours that the reader chose; `auto` follows the system. */
export const theme = signal<Theme>('auto');

/** Shows the chosen colours and remembers them. */
export function startTheme(): void {
  const kept = readKept();
  theme.value = THEMES.find((one) => one === kept) ?? 'auto';
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    try {
      localStorage.setItem(PLACE, theme.value);
    } catch {
      // A browser that keeps nothing shows the choice until it closes.
    }
  });
}

/** The next of the three. */
export function turnTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}

function readKept(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}
