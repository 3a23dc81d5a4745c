// The app of the browser-only mode: pick a folder, index it, search it and export it, without any data leaving the machine.

import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { formatAgo, formatCount, formatQuantity } from '../components/format.ts';
import { FolderPicker, type PickedFolder } from './folder-picker.tsx';
import type { SavedInfo } from './saved-library.ts';
import { LibraryView } from './library-view.tsx';
import { readMaxBytes, SizeLimit } from './size-limit.tsx';
import type { BrowserLibrary, LibrarySummary } from './browser-library.ts';
import type { Progress } from './read-files.ts';

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
  const [saved, setSaved] = useState<readonly SavedInfo[]>([]);
  const [isSaving, setSaving] = useState(false);
  const listSaved = (): void =>
    void library.saved().then((list) => {
      setSaved(list);
      setSaving(false);
      return null;
    });
  useEffect(listSaved, [library]);
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
  const ingest = (folder: PickedFolder): void => {
    const source = { ...folder, maxSourceBytes: readMaxBytes() };
    void attempt(async () => {
      const summary = await library.ingest(source, (progress) => setState({ kind: 'indexing', progress }));
      setSaving(true);
      listSaved();
      return summary;
    });
  };
  const openSaved = (name: string): void => void attempt(() => library.openSaved(name));
  const deleteSaved = (name: string): void => {
    setSaved((before) => before.filter((one) => one.name !== name));
    void library.deleteSaved(name);
  };
  const reset = (): void => {
    setState({ kind: 'empty' });
    listSaved();
  };
  return (
    <main className="browser-mode" data-state={state.kind} data-saving={isSaving} data-runs-in={runsIn}>
      <header>
        <h1>Pinakes</h1>
        <p className="muted" role="status">
          Your files stay in this browser: the page cannot connect to any server.
          {isSaving && ' Saving the library for your next visit; keep the page open.'}
        </p>
      </header>
      {state.kind === 'empty' && <FolderPicker onPick={ingest} />}
      {state.kind === 'empty' && <SizeLimit />}
      {state.kind === 'empty' && saved.length > 0 && (
        <SavedLibraries saved={saved} onOpen={openSaved} onDelete={deleteSaved} />
      )}
      {state.kind === 'indexing' && <IngestProgress progress={state.progress} />}
      {state.kind === 'failed' && <Failure message={state.message} onReset={reset} />}
      {state.kind === 'ready' && <LibraryView library={library} summary={state.summary} onReset={reset} />}
    </main>
  );
}

function Failure({ message, onReset }: { readonly message: string; readonly onReset: () => void }): ReactNode {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <strong>Could not read the folder</strong>
      <p>{message}</p>
      <p>
        <button className="button" type="button" onClick={onReset}>
          Choose another folder
        </button>
      </p>
    </div>
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

interface SavedLibrariesProps {
  readonly saved: readonly SavedInfo[];
  readonly onOpen: (name: string) => void;
  readonly onDelete: (name: string) => void;
}

function SavedLibraries({ saved, onOpen, onDelete }: SavedLibrariesProps): ReactNode {
  return (
    <section aria-labelledby="saved-libraries">
      <h2 id="saved-libraries">Saved in this browser</h2>
      {location.protocol === 'file:' && (
        <p className="muted">
          Any other page that this browser opens from a disk can read them. Delete what is confidential.
        </p>
      )}
      <ul className="saved-libraries">
        {saved.map(({ name, pages, at }) => (
          <li key={name} className="row">
            <strong className="truncate">{name}</strong>
            <span className="muted">
              {formatQuantity(pages, 'page')}, {formatAgo(at)}
            </span>
            <button className="button" type="button" onClick={() => onOpen(name)}>
              Open <span className="visually-hidden">{name}</span>
            </button>
            <button className="button plain" type="button" onClick={() => onDelete(name)}>
              Delete <span className="visually-hidden">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
