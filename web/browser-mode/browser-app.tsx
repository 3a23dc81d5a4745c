// From a folder to a library that can be searched and carried away, without a byte leaving the machine.

import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { count } from '../components/format.ts';
import type { Chosen } from '../local/choose-folder.ts';
import { DropZone } from './folder-picker.tsx';
import type { KeptAbout } from './saved-library.ts';
import { LibraryView } from './library-view.tsx';
import type { LocalLibrary, Progress, Summary } from './browser-library.ts';

export interface LocalAppProps {
  readonly library: LocalLibrary;
  readonly runsIn: 'worker' | 'page';
}

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'reading'; readonly progress: Progress | null }
  | { readonly kind: 'ready'; readonly summary: Summary }
  | { readonly kind: 'failed'; readonly message: string };

export function LocalApp({ library, runsIn }: LocalAppProps): ReactNode {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const [kept, setKept] = useState<KeptAbout | null>(null);
  useEffect(() => void library.kept().then(setKept), [library]);
  const attempt = async (work: () => Promise<Summary>): Promise<void> => {
    setState({ kind: 'reading', progress: null });
    try {
      const summary = await work();
      // Drawn in short steps, since a list of thousands comes with it.
      startTransition(() => setState({ kind: 'ready', summary }));
    } catch (error) {
      setState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const read = ({ name, files }: Chosen): void =>
    void attempt(() => library.ingest(name, files, (progress) => setState({ kind: 'reading', progress })));
  const open = (): void => void attempt(() => library.reopen());
  const forget = (): void => {
    setKept(null);
    void library.forget();
  };
  const again = (): void => {
    setState({ kind: 'empty' });
    void library.kept().then(setKept);
  };
  return (
    <main className="local" data-state={state.kind} data-runs-in={runsIn}>
      <header>
        <h1>Pinakes</h1>
        <p className="quiet">Nothing leaves this page: it may ask no server, not even its own.</p>
      </header>
      {state.kind === 'empty' && <DropZone onChosen={read} />}
      {state.kind === 'empty' && kept !== null && <KeptNotice kept={kept} onOpen={open} onForget={forget} />}
      {state.kind === 'reading' && <Reading progress={state.progress} />}
      {state.kind === 'failed' && (
        <div className="notice" data-tone="bad" role="alert">
          <strong>The folder could not be read</strong>
          <p>{state.message}</p>
          <p>
            <button className="button" type="button" onClick={again}>
              Choose another
            </button>
          </p>
        </div>
      )}
      {state.kind === 'ready' && <LibraryView library={library} summary={state.summary} onAgain={again} />}
    </main>
  );
}

function Reading({ progress }: { readonly progress: Progress | null }): ReactNode {
  const { done = 0, of = 1, path = '' } = progress ?? {};
  return (
    <div className="drop" aria-live="polite">
      <h2>Reading</h2>
      <div
        className="meter"
        style={{ width: 'min(24rem, 100%)' }}
        role="progressbar"
        aria-label="Files read"
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={done}
      >
        <i className="fill-new" style={{ width: `${(done / of) * 100}%` }} />
      </div>
      <p className="num">
        {count(done)} of {count(of)} files
      </p>
      <p className="mono small cut" style={{ maxWidth: '100%' }}>
        {path}
      </p>
    </div>
  );
}

interface KeptNoticeProps {
  readonly kept: KeptAbout;
  readonly onOpen: () => void;
  readonly onForget: () => void;
}

function KeptNotice({ kept, onOpen, onForget }: KeptNoticeProps): ReactNode {
  return (
    <div className="notice">
      <p>
        <strong>{kept.name}</strong> was read here before: {count(kept.pages)} pages, kept in this browser.
      </p>
      <p className="row">
        <button className="button" type="button" onClick={onOpen}>
          Open it
        </button>
        <button className="button plain" type="button" onClick={onForget}>
          Forget it
        </button>
      </p>
    </div>
  );
}
