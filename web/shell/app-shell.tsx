// The frame around every view: navigation, status bar, keyboard shortcuts, command palette and theme.

import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { libraryQuery } from '../api/queries.ts';
import { useLive } from '../live/live-store.ts';
import { Account } from './account.tsx';
import { CommandPalette, type Command } from './command-palette.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { StatusBar } from './status-bar.tsx';
import { useShortcuts } from './shortcuts.ts';

const NAV_ITEMS: ReadonlyArray<{
  readonly to: '/' | '/runs' | '/history' | '/search' | '/library';
  readonly name: string;
  readonly icon: IconName;
}> = [
  { to: '/', name: 'Sources', icon: 'sources' },
  { to: '/runs', name: 'Runs', icon: 'runs' },
  { to: '/history', name: 'History', icon: 'history' },
  { to: '/search', name: 'Search', icon: 'search' },
  { to: '/library', name: 'Library', icon: 'library' },
];

export function AppShell(): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const openPalette = useCallback(() => setOpen('palette'), []);
  const openKeys = useCallback(() => setOpen('keys'), []);
  const close = (): void => setOpen(null);
  const { theme, next } = useTheme();
  const navigate = useNavigate();
  const go = useMemo(
    () => ({
      sources: () => void navigate({ to: '/' }),
      runs: () => void navigate({ to: '/runs' }),
      history: () => void navigate({ to: '/history', search: {} }),
      search: (q?: string) => void navigate({ to: '/search', search: q === undefined ? {} : { q } }),
      library: () => void navigate({ to: '/library' }),
      add: () => void navigate({ to: '/add' }),
    }),
    [navigate],
  );
  const shortcuts = useMemo(
    () => ({
      palette: openPalette,
      '/': () => go.search(),
      'g s': go.sources,
      'g r': go.runs,
      'g t': go.history,
      'g f': () => go.search(),
      'g l': go.library,
      a: go.add,
      '?': openKeys,
    }),
    [go, openPalette, openKeys],
  );
  useShortcuts(shortcuts);
  const commands = useCommands(go, next, openKeys);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Sidebar theme={theme} nextTheme={next} openPalette={openPalette} />
      <main className="content" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <StatusBar />
      {open === 'palette' && <CommandPalette commands={commands} onSearch={go.search} onClose={close} />}
      {open === 'keys' && <KeyboardHelp onClose={close} />}
    </div>
  );
}

interface SidebarProps {
  readonly theme: string;
  readonly nextTheme: () => void;
  readonly openPalette: () => void;
}

function Sidebar({ theme, nextTheme, openPalette }: SidebarProps): ReactNode {
  const live = [...useLive().runs.values()].filter(({ view }) => view.endedAt === null).length;
  return (
    <header className="sidebar">
      <Link to="/" className="brand">
        <img src="/mark.svg" alt="" />
        Pinakes
      </Link>
      <nav aria-label="Main" className="nav-items">
        {NAV_ITEMS.map(({ to, name, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon name={icon} />
            {name}
            {to === '/runs' && live > 0 && (
              <span className="count num">
                {live}
                <span className="visually-hidden"> running</span>
              </span>
            )}
          </Link>
        ))}
        <button type="button" className="phone-only" onClick={openPalette}>
          <Icon name="more" />
          More
        </button>
      </nav>
      <div className="sidebar-footer">
        <Account />
        <button type="button" className="palette-button" onClick={openPalette}>
          Go to… <kbd>{/Mac|iPhone/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <button type="button" className="button plain small" onClick={nextTheme}>
          Theme: {theme}
        </button>
      </div>
    </header>
  );
}

type Go = Readonly<Record<'sources' | 'runs' | 'history' | 'search' | 'library' | 'add', () => void>>;

function useCommands(go: Go, nextTheme: () => void, openKeys: () => void): readonly Command[] {
  const { data } = useQuery(libraryQuery);
  const navigate = useNavigate();
  return useMemo(() => {
    const navigation: Command[] = [
      { name: 'Add a source', hint: 'a', run: go.add },
      { name: 'Sources', hint: 'g s', run: go.sources },
      { name: 'Runs', hint: 'g r', run: go.runs },
      { name: 'History', hint: 'g t', run: go.history },
      { name: 'Search', hint: '/', run: go.search },
      { name: 'Library and settings', hint: 'g l', run: go.library },
      { name: 'Switch theme', hint: 'light, dark, auto', run: nextTheme },
      { name: 'Keyboard shortcuts', hint: '?', run: openKeys },
    ];
    const sources = (data?.sources ?? []).flatMap(({ source, run }): Command[] => [
      { name: source, hint: 'source', run: () => void navigate({ to: '/sources/$source', params: { source } }) },
      ...(run === null
        ? []
        : [
            {
              name: `${source}: latest run`,
              hint: run.state,
              run: () => void navigate({ to: '/runs/$run', params: { run: String(run.run) } }),
            },
          ]),
    ]);
    return [...navigation, ...sources];
  }, [data, go, navigate, nextTheme, openKeys]);
}

/** Light, dark, or following the system. The choice is stored in this browser. */
const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const THEME_KEY = 'pinakes.theme';

function useTheme(): { readonly theme: Theme; readonly next: () => void } {
  const [theme, setTheme] = useState<Theme>(
    () => THEMES.find((name) => name === localStorage.getItem(THEME_KEY)) ?? 'auto',
  );
  const next = (): void => {
    const nextTheme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    localStorage.setItem(THEME_KEY, nextTheme);
    if (nextTheme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = nextTheme;
    setTheme(nextTheme);
  };
  return { theme, next };
}

/** Stroke icons on a 16-pixel grid. */
const ICON_PATHS = {
  sources: 'M3 2.5h3v11H3zM6 2.5h3v11H6zM10 3.2l2.8-.7 2.2 10.4-2.8.6z',
  runs: 'M8 2.2a5.8 5.8 0 1 0 5.8 5.8M8 4.8V8l2.4 1.6M10.6 2.8l3.2.2-.4 3.2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14',
  history: 'M2.5 13.5h11M4 11V8.5M7 11V4.5M10 11V6.5M13 11V3',
  more: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  library: 'M1.5 8.5h3l1.7-4.6 3 8.2 1.8-4.6h3.5',
} as const;

type IconName = keyof typeof ICON_PATHS;

function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={ICON_PATHS[name]} strokeLinecap="round" />
    </svg>
  );
}
