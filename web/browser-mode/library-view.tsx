// The library that was read: search, the list of files, one file to read, and the bundle to carry away.

import { useEffect, useState, type ReactNode } from 'react';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { Figure } from '../components/stat.tsx';
import { bytes, count } from '../components/format.ts';
import { plainWords } from '../markdown/strip-markdown.ts';
import { FileList } from './file-list.tsx';
import type { LocalHit, LocalLibrary, ShownPage, Summary } from './browser-library.ts';

export interface LibraryViewProps {
  readonly library: LocalLibrary;
  readonly summary: Summary;
  readonly onAgain: () => void;
}

export function LibraryView({ library, summary, onAgain }: LibraryViewProps): ReactNode {
  const [words, setWords] = useState('');
  const [hits, setHits] = useState<readonly LocalHit[]>([]);
  const [page, setPage] = useState<ShownPage | null>(null);
  useEffect(() => {
    let isLate = false;
    void library.search(words, 20).then((found) => {
      if (!isLate) setHits(words.trim() === '' ? [] : found);
      return null;
    });
    return () => {
      isLate = true;
    };
  }, [library, words]);
  const read = (path: string): void => void library.page(path).then(setPage);
  return (
    <>
      <dl className="figures">
        <Figure name="Folder" value={summary.name} />
        <Figure name="Pages" value={count(summary.pages.length)} />
        <Figure name="Chunks" value={count(summary.chunks)} />
        <Figure name="Tokens" value={count(summary.tokens)} />
        <Figure name="Left out" value={count(summary.left.length)} />
      </dl>
      <div className="search-form" role="search">
        <input
          className="input tall"
          type="search"
          aria-label="Words or a question"
          placeholder="Words or a question"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setPage(null);
          }}
        />
        <ExportRow library={library} name={summary.name} onAgain={onAgain} />
      </div>
      <div className="local-grid">
        <FileList summary={summary} current={page?.path ?? null} onRead={read} />
        {page === null ? <Hits hits={hits} words={words} onRead={read} /> : <Reader page={page} />}
      </div>
    </>
  );
}

interface ExportRowProps {
  readonly library: LocalLibrary;
  readonly name: string;
  readonly onAgain: () => void;
}

function ExportRow({ library, name, onAgain }: ExportRowProps): ReactNode {
  const [made, setMade] = useState<{ readonly id: string; readonly size: number } | null>(null);
  const save = async (form: 'full' | 'compact'): Promise<void> => {
    const { indexId, zip } = await library.export(form);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }));
    link.download = `${name}.zip`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    setMade({ id: indexId, size: zip.byteLength });
  };
  return (
    <div className="row">
      <button className="button" type="button" onClick={() => void save('full')}>
        Save as a bundle
      </button>
      <button className="button" type="button" onClick={() => void save('compact')}>
        Save compact
      </button>
      <button className="button plain" type="button" onClick={onAgain}>
        Another folder
      </button>
      {made !== null && (
        <span className="quiet small" data-index-id={made.id}>
          index <span className="mono">{made.id.slice(0, 12)}</span>, {bytes(made.size)}
        </span>
      )}
    </div>
  );
}

interface HitsProps {
  readonly hits: readonly LocalHit[];
  readonly words: string;
  readonly onRead: (path: string) => void;
}

function Hits({ hits, words, onRead }: HitsProps): ReactNode {
  if (words.trim() === '') return <p className="quiet">Search, or choose a file to read.</p>;
  if (hits.length === 0) return <p className="quiet">Nothing was found for these words.</p>;
  return (
    <ol aria-live="polite">
      {hits.map(({ id, path, title, headings, text }) => (
        <li key={id} className="hit">
          <h2 style={{ font: '500 1.125rem/1.3 var(--serif)' }}>
            <button type="button" onClick={() => onRead(path)}>
              {headings.at(-1) ?? title}
            </button>
          </h2>
          <p className="path">
            {path} <span className="mono">{id.slice(0, 12)}</span>
          </p>
          <p className="excerpt">{excerptOf(text)}</p>
        </li>
      ))}
    </ol>
  );
}

const EXCERPT_CHARS = 400;

function excerptOf(text: string): string {
  const plain = plainWords(text);
  return plain.length <= EXCERPT_CHARS ? plain : `${plain.slice(0, EXCERPT_CHARS)}…`;
}

/** Read at once without a pause that is felt; the rest of a longer file is a click away. */
const FIRST_CHARACTERS = 300_000;

function Reader({ page }: { readonly page: ShownPage }): ReactNode {
  const [whole, setWhole] = useState<string | null>(null);
  const isCut = page.text.length > FIRST_CHARACTERS && whole !== page.path;
  return (
    <article>
      <h2 className="title">{page.title}</h2>
      <p className="quiet small mono">{page.path}</p>
      <MarkdownView
        text={isCut ? page.text.slice(0, FIRST_CHARACTERS) : page.text}
        title={page.title}
        base={`file:///${page.path}`}
        pageLink={(_target, inside) => <span>{inside}</span>}
      />
      {isCut && (
        <button className="button" type="button" onClick={() => setWhole(page.path)}>
          Show the whole file, {bytes(page.text.length)}
        </button>
      )}
    </article>
  );
}
