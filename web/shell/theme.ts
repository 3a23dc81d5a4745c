// Light, dark, or as the system says. The choice is kept in this browser.

import { useState } from 'react';

const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'pinakes.theme';

export function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto');
  const next = (): void => {
    const chosen = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    localStorage.setItem(KEY, chosen);
    if (chosen === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
    setTheme(chosen);
  };
  return { theme, next };
}
