// The frame around every view: places, what is happening now, and the keys.

import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { library } from '../api/queries.ts';
import { useLive } from '../live/live-store.ts';
import { CommandPalette, type Command } from './command-palette.tsx';
import { Icon, type IconName } from './icons.tsx';
import { LiveFoot } from './status-bar.tsx';
import { useShortcuts } from './shortcuts.ts';
import { useTheme } from './theme.ts';

const PLACES: ReadonlyArray<{
  readonly to: '/' | '/runs' | '/search' | '/health';
  readonly name: string;
  readonly icon: IconName;
}> = [
  { to: '/', name: 'Sources', icon: 'sources' },
  { to: '/runs', name: 'Runs', icon: 'runs' },
  { to: '/search', name: 'Search', icon: 'search' },
  { to: '/health', name: 'Health', icon: 'health' },
];

export function AppShell(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { theme, next } = useTheme();
  const navigate = useNavigate();
  const go = useMemo(
    () => ({
      sources: () => void navigate({ to: '/' }),
      runs: () => void navigate({ to: '/runs' }),
      search: (q?: string) => void navigate({ to: '/search', search: q === undefined ? {} : { q } }),
      health: () => void navigate({ to: '/health' }),
      add: () => void navigate({ to: '/add' }),
    }),
    [navigate],
  );
  const shortcuts = useMemo(
    () => ({
      palette: () => setIsOpen(true),
      '/': () => go.search(),
      'g s': go.sources,
      'g r': go.runs,
      'g f': () => go.search(),
      'g h': go.health,
      a: go.add,
      '?': () => setIsOpen(true),
    }),
    [go],
  );
  useShortcuts(shortcuts);
  const commands = useCommands(go, next);
  return (
    <div className="frame">
      <a className="skip" href="#sheet">
        To the content
      </a>
      <Rail theme={theme} nextTheme={next} openPalette={() => setIsOpen(true)} />
      <main className="sheet" id="sheet" tabIndex={-1}>
        <Outlet />
      </main>
      <LiveFoot />
      {isOpen && <CommandPalette commands={commands} onSearch={go.search} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

interface RailProps {
  readonly theme: string;
  readonly nextTheme: () => void;
  readonly openPalette: () => void;
}

function Rail({ theme, nextTheme, openPalette }: RailProps): ReactNode {
  const live = [...useLive().runs.values()].filter(({ view }) => view.endedAt === null).length;
  return (
    <header className="rail">
      <Link to="/" className="brand">
        <img src="/mark.svg" alt="" />
        Pinakes
      </Link>
      <nav aria-label="Places" className="places">
        {PLACES.map(({ to, name, icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon name={icon} />
            {name}
            {to === '/runs' && live > 0 && (
              <span className="count num">
                {live}
                <span className="visually-hidden"> going on</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="rail-foot">
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

type Go = Readonly<Record<'sources' | 'runs' | 'search' | 'health' | 'add', () => void>>;

function useCommands(go: Go, nextTheme: () => void): readonly Command[] {
  const { data } = useQuery(library);
  const navigate = useNavigate();
  return useMemo(() => {
    const places: Command[] = [
      { name: 'Add a source', hint: 'a', run: go.add },
      { name: 'Sources', hint: 'g s', run: go.sources },
      { name: 'Runs', hint: 'g r', run: go.runs },
      { name: 'Search', hint: '/', run: go.search },
      { name: 'Library health and settings', hint: 'g h', run: go.health },
      { name: 'Change the theme', hint: 'light, dark, auto', run: nextTheme },
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
    return [...places, ...sources];
  }, [data, go, navigate, nextTheme]);
}
