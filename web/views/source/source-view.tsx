// One source: its statistics, crawl settings and pages.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import type { PageView, SourceHealth } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { libraryQuery, pagesQuery } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount, pathOf, formatUntil } from '../../components/format.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { describeInterval, describeSettings } from './describe-settings.ts';
import { DownloadBundle } from '../../components/download-bundle.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { Stat } from '../../components/stat.tsx';

export function SourceView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source' });
  const { data, error } = useQuery(libraryQuery);
  const source = data?.sources.find((one) => one.source === name);
  const isUnknown = data !== undefined && source === undefined;
  return (
    <div className="view">
      <ViewHeader
        title={name}
        crumbs={<Link to="/">Sources</Link>}
        {...(source && { actions: <SourceActions source={source} /> })}
      >
        {source !== undefined && <p className="mono small">{source.start}</p>}
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {isUnknown && (
        <div className="empty">
          <h2>Source not found</h2>
          <Link className="button" to="/">
            Back to sources
          </Link>
        </div>
      )}
      {source !== undefined && <SourceSummary source={source} />}
      {source !== undefined && <PageTable source={source} />}
    </div>
  );
}

function SourceActions({ source }: { readonly source: SourceHealth }): ReactNode {
  const navigate = useNavigate();
  const update = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(source.source)}/recrawl`),
    onSuccess: ({ run }) => navigate({ to: '/runs/$run', params: { run: String(run) } }),
  });
  return (
    <>
      {update.error !== null && (
        <span className="small" role="alert">
          {update.error.message}
        </span>
      )}
      <Link className="button" to="/sources/$source/edit" params={{ source: source.source }}>
        Edit
      </Link>
      <Link className="button" to="/sources/$source/remove" params={{ source: source.source }}>
        Remove
      </Link>
      <Link className="button" to="/search" search={{ source: source.source }}>
        Search this source
      </Link>
      {(source.versions.at(-1)?.pages ?? 0) > 0 && <DownloadBundle source={source.source} isCompact={false} />}
      <button className="button primary" type="button" disabled={update.isPending} onClick={() => update.mutate()}>
        Update now
      </button>
    </>
  );
}

function SourceSummary({ source }: { readonly source: SourceHealth }): ReactNode {
  const version = source.versions.at(-1);
  const settings: Partial<SourceSettings> = source.settings;
  const rules = source.kind === 'folder' ? [] : describeSettings(settings);
  return (
    <>
      <dl className="stats">
        <Stat name="Pages" value={formatCount(version?.pages ?? 0)} />
        <Stat name="Chunks" value={formatCount(version?.chunks ?? 0)} />
        <Stat name="Oldest check" value={version?.oldestCheckAt == null ? '–' : formatAgo(version.oldestCheckAt)} />
        <Stat name="Last change" value={version?.changedAt == null ? '–' : formatAgo(version.changedAt)} />
        <NextRun at={source.nextRunAt} every={settings.every ?? null} />
      </dl>
      <div className="row small">
        {source.run !== null && (
          <Link to="/runs/$run" params={{ run: String(source.run.run) }}>
            <StateBadge state={source.run.state} label={`run ${source.run.run} ${source.run.state}`} />
          </Link>
        )}
        {rules.map((rule) => (
          <span key={rule} className="tag">
            {rule}
          </span>
        ))}
      </div>
    </>
  );
}

function NextRun({ at, every }: { readonly at: string | null; readonly every: string | null }): ReactNode {
  if (at === null || every === null) return <Stat name="Next run" value="not scheduled" />;
  return <Stat name="Next run" value={formatUntil(at)} unit={describeInterval(every)} />;
}

function PageTable({ source }: { readonly source: SourceHealth }): ReactNode {
  const [filter, setFilter] = useState('');
  const { data, error, isPending } = useQuery(pagesQuery(source.source, undefined));
  const rows = useMemo(() => {
    const sorted = (data ?? []).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    const needle = filter.toLowerCase();
    return needle === '' ? sorted : sorted.filter(({ url, title }) => `${title} ${url}`.toLowerCase().includes(needle));
  }, [data, filter]);
  const columns = useMemo(() => columnsFor(source.source), [source.source]);
  return (
    <section className="section">
      <header>
        <h2>Pages</h2>
        <label className="row">
          <span className="muted small num">{formatCount(rows.length)} shown</span>
          <input
            className="input"
            style={{ width: '16rem' }}
            aria-label="Filter pages by title or path"
            placeholder="Filter by title or path"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
      </header>
      {error !== null && <ErrorNotice error={error} />}
      {!isPending && rows.length === 0 && (
        <p className="muted">{filter === '' ? 'No pages yet. Start an update to fetch them.' : 'No matching pages.'}</p>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Pages"
          rows={rows}
          columns={columns}
          keyOf={({ url }) => url}
          minWidth="48rem"
          height="60dvh"
        />
      )}
    </section>
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
    { name: 'Chunks', width: '5rem', cell: ({ chunks }) => formatCount(chunks), isNumber: true },
    { name: 'Changed', width: '7rem', cell: ({ changedAt }) => formatAgo(changedAt), isNumber: true },
    { name: 'Checked', width: '7rem', cell: ({ checkedAt }) => formatAgo(checkedAt), isNumber: true },
  ];
}
