// The library view of the browser-only mode: search, file list, reader and export.

import { useEffect, useState, type ReactNode } from 'react';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { Stat } from '../components/stat.tsx';
import { formatBytes, formatCount } from '../components/format.ts';
import { matchExcerpt, excerptTerms } from '../../src/core/answer/match-excerpt.ts';
import { ExcerptView } from '../markdown/excerpt-view.tsx';
import { FileList } from './file-list.tsx';
import { isFiltered, SearchFilters } from './search-filters.tsx';
import type { BrowserFilter, BrowserHit, BrowserLibrary, PageText, LibrarySummary } from './browser-library.ts';

export interface LibraryViewProps {
  readonly library: BrowserLibrary;
  readonly summary: LibrarySummary;
  readonly onReset: () => void;
}

/** The limits of the dashboard's search. */
const SEARCH_LIMITS = { limit: 20, budget: 2000 };

export function LibraryView({ library, summary, onReset }: LibraryViewProps): ReactNode {
  const [query, setQuery] = useState('');
  const [hits, setHits] = useState<readonly BrowserHit[]>([]);
  const [page, setPage] = useState<PageText | null>(null);
  const [filter, setFilter] = useState<BrowserFilter>({});
  useEffect(() => {
    let isStale = false;
    void library.search(query, SEARCH_LIMITS, filter).then((found) => {
      if (!isStale) setHits(query.trim() === '' ? [] : found);
      return null;
    });
    return () => {
      isStale = true;
    };
  }, [library, query, filter]);
  const openPage = (path: string): void => void library.page(path).then(setPage);
  return (
    <>
      <dl className="stats">
        <Stat name="Folder" value={summary.name} />
        <Stat name="Pages" value={formatCount(summary.pages.length)} />
        <Stat name="Chunks" value={formatCount(summary.chunks)} />
        <Stat name="Tokens" value={formatCount(summary.tokens)} />
        <Stat name="Excluded" value={formatCount(summary.excluded.length)} />
        {summary.unchanged > 0 && <Stat name="Unchanged" value={formatCount(summary.unchanged)} />}
      </dl>
      <div className="search-form" role="search">
        <input
          className="input large"
          type="search"
          aria-label="Keywords or a question"
          placeholder="Keywords or a question"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setPage(null);
          }}
        />
        <ExportButtons library={library} name={summary.name} onReset={onReset} />
      </div>
      <SearchFilters
        filter={filter}
        onChange={(changed) => {
          setFilter(changed);
          setPage(null);
        }}
      />
      <div className="browser-grid">
        <FileList summary={summary} current={page?.path ?? null} onOpen={openPage} />
        {page === null ? (
          <Hits hits={hits} query={query} isFiltered={isFiltered(filter)} onOpen={openPage} />
        ) : (
          <Reader page={page} />
        )}
      </div>
    </>
  );
}

interface ExportButtonsProps {
  readonly library: BrowserLibrary;
  readonly name: string;
  readonly onReset: () => void;
}

function ExportButtons({ library, name, onReset }: ExportButtonsProps): ReactNode {
  const [exported, setExported] = useState<{ readonly id: string; readonly size: number } | null>(null);
  const save = async (format: 'full' | 'compact'): Promise<void> => {
    const { indexId, zip } = await library.export(format);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }));
    link.download = `${name}.zip`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    setExported({ id: indexId, size: zip.byteLength });
  };
  return (
    <div className="row">
      <button className="button" type="button" onClick={() => void save('full')}>
        Download bundle
      </button>
      <button className="button" type="button" onClick={() => void save('compact')}>
        Download compact bundle
      </button>
      <button className="button plain" type="button" onClick={onReset}>
        Choose another folder
      </button>
      {exported !== null && (
        <span className="muted small" data-index-id={exported.id}>
          index <span className="mono">{exported.id.slice(0, 12)}</span>, {formatBytes(exported.size)}
        </span>
      )}
    </div>
  );
}

interface HitsProps {
  readonly hits: readonly BrowserHit[];
  readonly query: string;
  readonly isFiltered: boolean;
  readonly onOpen: (path: string) => void;
}

function Hits({ hits, query, isFiltered: hasFilter, onOpen }: HitsProps): ReactNode {
  if (query.trim() === '') return <p className="muted">Search, or select a file.</p>;
  if (hits.length === 0) return <p className="muted">{hasFilter ? 'No results with these filters.' : 'No results.'}</p>;
  const terms = excerptTerms(query);
  return (
    <ol aria-live="polite">
      {hits.map(({ chunkId, lines, path, title, headings, text }) => (
        // A chunkId of several sections may be in several passages.
        <li key={`${chunkId} ${lines.first}`} className="hit">
          <h2 style={{ font: '500 1.125rem/1.3 var(--serif)' }}>
            <button type="button" onClick={() => onOpen(path)}>
              {headings.at(-1) ?? title}
            </button>
          </h2>
          <p className="path">
            {path} <span className="mono">{chunkId.slice(0, 12)}</span>
          </p>
          <ExcerptView blocks={matchExcerpt({ text, url: addressOf(path), title, headings }, terms).blocks} />
        </li>
      ))}
    </ol>
  );
}

/** A page of an archive has a URL; a file of the folder gets one. */
function addressOf(path: string): string {
  return /^https?:/.test(path) ? path : `file:///${path}`;
}

/** Renders without a noticeable pause; the rest of a longer file is shown on request. */
const INITIAL_CHARS = 300_000;

function Reader({ page }: { readonly page: PageText }): ReactNode {
  const [expandedPath, setExpandedPath] = useState<string | null>(null);
  const isTruncated = page.text.length > INITIAL_CHARS && expandedPath !== page.path;
  return (
    <article>
      <h2 className="title">{page.title}</h2>
      <p className="muted small mono">{page.path}</p>
      <MarkdownView
        text={isTruncated ? page.text.slice(0, INITIAL_CHARS) : page.text}
        title={page.title}
        base={addressOf(page.path)}
        pageLink={(_target, inside) => <span>{inside}</span>}
      />
      {isTruncated && (
        <button className="button" type="button" onClick={() => setExpandedPath(page.path)}>
          Show the whole file ({formatBytes(page.text.length)})
        </button>
      )}
    </article>
  );
}
