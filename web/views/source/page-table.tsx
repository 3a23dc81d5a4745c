// The pages of a source, with filters by text, page kind and confidence.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { PAGE_KINDS } from '../../../src/core/model/document.ts';
import type { PageView, RunView } from '../../api/responses.ts';
import { pagesQuery } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount, pathOf } from '../../components/format.ts';

interface PageFilter {
  readonly text: string;
  readonly pageKind: string;
  /** At least this share; empty for any. */
  readonly confidence: string;
}

const NO_FILTER: PageFilter = { text: '', pageKind: '', confidence: '' };
const CONFIDENCES = ['', '0.5', '0.7', '0.9'] as const;

interface PageTableProps {
  readonly source: string;
  /** The latest run of the source. */
  readonly run: RunView | null;
}

export function PageTable({ source, run }: PageTableProps): ReactNode {
  const [filter, setFilter] = useState(NO_FILTER);
  const { data, error, isPending } = useQuery(pagesQuery(source, undefined));
  const rows = useMemo(() => {
    const sorted = (data ?? []).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    return filter === NO_FILTER ? sorted : sorted.filter((page) => matches(page, filter));
  }, [data, filter]);
  const columns = useMemo(() => columnsFor(source), [source]);
  return (
    <>
      <Filters filter={filter} set={setFilter} shown={rows.length} />
      {error !== null && <ErrorNotice error={error} />}
      {!isPending && rows.length === 0 && (
        <p className="muted">{filter === NO_FILTER ? emptyText(run) : 'No matching pages.'}</p>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Pages"
          rows={rows}
          columns={columns}
          keyOf={({ url }) => url}
          minWidth="56rem"
          height="60dvh"
        />
      )}
    </>
  );
}

function emptyText(run: RunView | null): string {
  if (run === null) return 'No pages yet. Recrawl the source to fetch them.';
  if (run.endedAt === null) return 'No pages yet: the source is being crawled.';
  return `No pages: run ${run.run} ${run.state}${run.reason === null ? '' : `: ${run.reason}`}`;
}

function matches({ url, title, pageKind, confidence }: PageView, filter: PageFilter): boolean {
  if (filter.pageKind !== '' && pageKind !== filter.pageKind) return false;
  if (filter.confidence !== '' && (confidence ?? 0) < Number(filter.confidence)) return false;
  return `${title} ${url}`.toLowerCase().includes(filter.text.toLowerCase());
}

interface FiltersProps {
  readonly filter: PageFilter;
  readonly set: (filter: PageFilter) => void;
  readonly shown: number;
}

function Filters({ filter, set, shown }: FiltersProps): ReactNode {
  return (
    <div className="row">
      <input
        className="input"
        style={{ maxWidth: '16rem' }}
        aria-label="Filter pages by title or path"
        placeholder="Filter by title or path"
        value={filter.text}
        onChange={(event) => set({ ...filter, text: event.target.value })}
      />
      <select
        className="input"
        style={{ width: 'auto' }}
        aria-label="Page kind"
        value={filter.pageKind}
        onChange={(event) => set({ ...filter, pageKind: event.target.value })}
      >
        <option value="">any kind</option>
        {PAGE_KINDS.map((kind) => (
          <option key={kind}>{kind}</option>
        ))}
      </select>
      <select
        className="input"
        style={{ width: 'auto' }}
        aria-label="Confidence"
        value={filter.confidence}
        onChange={(event) => set({ ...filter, confidence: event.target.value })}
      >
        {CONFIDENCES.map((share) => (
          <option key={share} value={share}>
            {share === '' ? 'any confidence' : `at least ${Number(share) * 100} %`}
          </option>
        ))}
      </select>
      <span className="muted small num">{formatCount(shown)} shown</span>
    </div>
  );
}

function columnsFor(source: string): ReadonlyArray<Column<PageView>> {
  return [
    {
      name: 'Title',
      width: 'minmax(12rem, 2fr)',
      cell: ({ url, title }) => (
        <Link to="/sources/$source/page" params={{ source }} search={{ url }}>
          {title === '' ? pathOf(url) : title}
        </Link>
      ),
    },
    { name: 'Path', width: 'minmax(12rem, 2fr)', cell: ({ url }) => <span className="mono muted">{pathOf(url)}</span> },
    { name: 'Page kind', width: '6rem', cell: ({ pageKind }) => pageKind ?? '–' },
    {
      name: 'Confidence',
      width: '6rem',
      cell: ({ confidence }) => (confidence === null ? '–' : `${Math.round(confidence * 100)} %`),
      isNumber: true,
    },
    { name: 'Chunks', width: '4rem', cell: ({ chunks }) => formatCount(chunks), isNumber: true },
    { name: 'Changed', width: '6rem', cell: ({ changedAt }) => formatAgo(changedAt), isNumber: true },
    { name: 'Checked', width: '6rem', cell: ({ checkedAt }) => formatAgo(checkedAt), isNumber: true },
  ];
}
