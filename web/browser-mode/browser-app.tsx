// The app of the browser-only mode: pick a folder, index it, search it and export it, without any data leaving the machine.

import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { formatCount, formatQuantity } from '../components/format.ts';
import { FolderPicker, type PickedFolder } from './folder-picker.tsx';
import type { SavedInfo } from './saved-library.ts';
import { LibraryView } from './library-view.tsx';
import type { BrowserLibrary, Progress, LibrarySummary } from './browser-library.ts';

export interface BrowserAppProps {
  readonly library: BrowserLibrary;
  readonly runsIn: 'worker' | 'main-thread';
}

type State =
  | { readonly kind: 'empty' }
  | { readonly kind: 'indexing'; readonly progress: Progress | null }
  | { readonly kind: 'ready'; readonly summary: LibrarySummary }
  | { readonly kind: 'failed'; readonly message: string };

export function BrowserApp({ library, runsIn }: BrowserAppProps): ReactNode {
  const [state, setState] = useState<State>({ kind: 'empty' });
  const [saved, setSaved] = useState<SavedInfo | null>(null);
  useEffect(() => void library.savedInfo().then(setSaved), [library]);
  const attempt = async (work: () => Promise<LibrarySummary>): Promise<void> => {
    setState({ kind: 'indexing', progress: null });
    try {
      const summary = await work();
      // A transition, because rendering a list of thousands of files must not block the page.
      startTransition(() => setState({ kind: 'ready', summary }));
    } catch (error) {
      setState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const ingest = ({ name, files }: PickedFolder): void =>
    void attempt(() => library.ingest(name, files, (progress) => setState({ kind: 'indexing', progress })));
  const openSaved = (): void => void attempt(() => library.openSaved());
  const deleteSaved = (): void => {
    setSaved(null);
    void library.deleteSaved();
  };
  const reset = (): void => {
    setState({ kind: 'empty' });
    void library.savedInfo().then(setSaved);
  };
  return (
    <main className="browser-mode" data-state={state.kind} data-runs-in={runsIn}>
      <header>
        <h1>Pinakes</h1>
        <p className="muted">Your files stay in this browser: the page cannot connect to any server.</p>
      </header>
      {state.kind === 'empty' && <FolderPicker onPick={ingest} />}
      {state.kind === 'empty' && saved !== null && (
        <SavedNotice saved={saved} onOpen={openSaved} onDelete={deleteSaved} />
      )}
      {state.kind === 'indexing' && <IngestProgress progress={state.progress} />}
      {state.kind === 'failed' && (
        <div className="notice" data-tone="bad" role="alert">
          <strong>Could not read the folder</strong>
          <p>{state.message}</p>
          <p>
            <button className="button" type="button" onClick={reset}>
              Choose another folder
            </button>
          </p>
        </div>
      )}
      {state.kind === 'ready' && <LibraryView library={library} summary={state.summary} onReset={reset} />}
    </main>
  );
}

function IngestProgress({ progress }: { readonly progress: Progress | null }): ReactNode {
  const { done = 0, total = 1, path = '' } = progress ?? {};
  return (
    <div className="drop-zone" aria-live="polite">
      <h2>Indexing</h2>
      <div
        className="meter"
        style={{ width: 'min(24rem, 100%)' }}
        role="progressbar"
        aria-label="Files indexed"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <i className="fill-new" style={{ width: `${(done / total) * 100}%` }} />
      </div>
      <p className="num">
        {formatCount(done)} of {formatCount(total)} files
      </p>
      <p className="mono small truncate" style={{ maxWidth: '100%' }}>
        {path}
      </p>
    </div>
  );
}

interface SavedNoticeProps {
  readonly saved: SavedInfo;
  readonly onOpen: () => void;
  readonly onDelete: () => void;
}

function SavedNotice({ saved, onOpen, onDelete }: SavedNoticeProps): ReactNode {
  return (
    <div className="notice">
      <p>
        <strong>{saved.name}</strong> is saved in this browser ({formatQuantity(saved.pages, 'page')}).
      </p>
      <p className="row">
        <button className="button" type="button" onClick={onOpen}>
          Open
        </button>
        <button className="button plain" type="button" onClick={onDelete}>
          Delete
        </button>
      </p>
    </div>
  );
}
