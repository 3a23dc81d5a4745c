// The library: coverage, staleness, failures, pending work, exports, integrity, settings and access tokens.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { storedPages } from '../../../src/core/model/outcome.ts';
import type { SettingView, SourceStats } from '../../api/responses.ts';
import { libraryQuery, settingsQuery, tokensQuery, verifyQuery } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatBytes, formatCount, formatQuantity, pluralize } from '../../components/format.ts';
import { DownloadBundle } from '../../components/download-bundle.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ProjectList } from './project-list.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { Stat } from '../../components/stat.tsx';

const STALE_DAYS = 30;

const SOURCE_COLUMNS: ReadonlyArray<Column<SourceStats>> = [
  {
    name: 'Source',
    width: 'minmax(10rem, 2fr)',
    cell: ({ source }) => (
      <Link to="/sources/$source" params={{ source }}>
        {source}
      </Link>
    ),
  },
  { name: 'Last run', width: '8rem', cell: ({ run }) => (run === null ? 'never' : <StateBadge state={run.state} />) },
  { name: 'Coverage', width: '11rem', cell: (source) => formatCoverage(source), isNumber: true },
  { name: 'Failed', width: '5rem', cell: ({ run }) => formatCount(run?.counts.failed ?? 0), isNumber: true },
  {
    name: 'Duplicates',
    width: '6rem',
    cell: ({ versions }) => formatCount(versions.at(-1)?.duplicates ?? 0),
    isNumber: true,
  },
  { name: 'Oldest check', width: '8rem', cell: (source) => formatStalest(source), isNumber: true },
];

export function LibraryView(): ReactNode {
  const { data, error } = useQuery(libraryQuery);
  const versions = data?.sources.flatMap((source) => source.versions) ?? [];
  const failed = data?.sources.reduce((sum, { run }) => sum + (run?.counts.failed ?? 0), 0) ?? 0;
  const duplicates = sumOf(versions, 'duplicates');
  const stale = versions.filter(({ oldestCheckAt }) => oldestCheckAt !== null && isStale(oldestCheckAt)).length;
  return (
    <div className="view">
      <ViewHeader title="Library">
        <p>What is stored, how fresh it is, and what is still pending.</p>
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && (
        <>
          <FailedSources sources={data.sources} />
          <dl className="stats">
            <Stat name="Failed sources" value={formatCount(failedSources(data.sources).length)} unit="latest run" />
            <Stat name="Database" value={data.bytes === null ? '–' : formatBytes(data.bytes)} unit={data.database} />
            <Stat name="Not yet indexed" value={formatCount(data.unindexed)} unit={pluralize(data.unindexed, 'page')} />
            <Stat
              name="Not yet embedded"
              value={data.spaces.length === 0 ? '–' : formatCount(sumOf(data.spaces, 'pending'))}
              unit={data.spaces.length === 0 ? 'no model' : pluralize(sumOf(data.spaces, 'pending'), 'text')}
            />
            <Stat name="Duplicates" value={formatCount(duplicates)} unit={pluralize(duplicates, 'page')} />
            <Stat name="Failed URLs" value={formatCount(failed)} unit="latest runs" />
            <Stat name="Stale sources" value={formatCount(stale)} unit={`over ${STALE_DAYS} days`} />
            <Stat name="Events" value={formatCount(data.lastSeq)} />
          </dl>
          <Tabs
            label="Library details"
            tabs={[
              { name: 'sources', label: 'Sources', panel: () => <SourceTable sources={data.sources} /> },
              { name: 'projects', label: 'Projects', panel: () => <ProjectList /> },
              { name: 'exports', label: 'Exports', panel: () => <ExportList sources={data.sources} /> },
              { name: 'integrity', label: 'Integrity', panel: () => <IntegrityCheck /> },
              { name: 'settings', label: 'Settings', panel: () => <SettingTable /> },
              { name: 'tokens', label: 'Tokens', panel: () => <TokenTable /> },
            ]}
          />
        </>
      )}
    </div>
  );
}

function failedSources(sources: readonly SourceStats[]): readonly SourceStats[] {
  return sources.filter(({ run }) => run?.state === 'failed');
}

const MAX_LISTED = 10;

function FailedSources({ sources }: { readonly sources: readonly SourceStats[] }): ReactNode {
  const failed = failedSources(sources);
  if (failed.length === 0) return null;
  return (
    <section className="notice" data-tone="bad">
      <strong>
        {failed.length} of {formatQuantity(sources.length, 'source')} failed
      </strong>
      <ul className="failed-sources">
        {failed.slice(0, MAX_LISTED).map(({ source, run }) => (
          <li key={source}>
            <Link to="/sources/$source" params={{ source }}>
              {source}
            </Link>
            : {run?.reason}
          </li>
        ))}
      </ul>
      {failed.length > MAX_LISTED && <p className="muted small">and {formatCount(failed.length - MAX_LISTED)} more</p>}
    </section>
  );
}

function sumOf<Name extends string>(items: ReadonlyArray<Readonly<Record<Name, number>>>, name: Name): number {
  return items.reduce((sum, item) => sum + item[name], 0);
}

function formatCoverage({ run }: SourceStats): string {
  if (run === null || run.counts.found === 0) return '–';
  if (run.state === 'failed' && storedPages(run.counts) === 0) return 'nothing stored';
  const { found, failed, dropped, queued } = run.counts;
  const share = (found - failed - dropped - queued) / found;
  // Rounded down: 100 % means that nothing failed.
  return `${Math.floor(share * 1000) / 10} % of ${formatQuantity(found, 'URL')}`;
}

function formatStalest({ versions }: SourceStats): string {
  const at = versions.at(-1)?.oldestCheckAt;
  return at == null ? '–' : formatAgo(at);
}

function isStale(at: string): boolean {
  return Date.now() - Date.parse(at) > STALE_DAYS * 86_400_000;
}

function SourceTable({ sources }: { readonly sources: readonly SourceStats[] }): ReactNode {
  if (sources.length === 0) return <p className="muted">No sources yet.</p>;
  return (
    <DataTable
      label="Sources"
      rows={sources}
      columns={SOURCE_COLUMNS}
      keyOf={({ source }) => source}
      minWidth="53rem"
    />
  );
}

function ExportList({ sources }: { readonly sources: readonly SourceStats[] }): ReactNode {
  const nonEmpty = sources.filter(({ versions }) => (versions.at(-1)?.pages ?? 0) > 0);
  if (nonEmpty.length === 0) return <p className="muted">Nothing to export yet.</p>;
  return (
    <>
      <p className="muted">
        People and agents can read a bundle without Pinakes, and another library can import it. The compact bundle holds
        only what a reader with a token budget needs.
      </p>
      <ul className="export-list">
        {nonEmpty.map(({ source, versions }) => (
          <li key={source} className="row spread">
            <span>
              <strong>{source}</strong>{' '}
              <span className="muted small num">{formatQuantity(versions.at(-1)?.pages ?? 0, 'page')}</span>
            </span>
            <span className="row">
              <DownloadBundle source={source} isCompact={false} />
              <DownloadBundle source={source} isCompact />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function IntegrityCheck(): ReactNode {
  const { data, error, isFetching, refetch } = useQuery(verifyQuery);
  return (
    <>
      <p className="muted">
        Checks the files of the database, the search index, and every invariant, such as “no chunk without its page” and
        “counters equal rows”.
      </p>
      <p>
        <button className="button" type="button" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? 'Checking…' : 'Check now'}
        </button>
      </p>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && data.violations.length === 0 && (
        <StateBadge state="completed" label="All invariants hold and nothing is damaged" />
      )}
      {data?.violations.map(({ invariant, what, row, remedy }) => (
        <div key={`${invariant} ${row}`} className="notice" data-tone="bad">
          <strong>{invariant}</strong>
          <p>{what}</p>
          <p className="mono small">{row}</p>
          {remedy !== null && <p>Repair it with pinakes {remedy}.</p>}
        </div>
      ))}
    </>
  );
}

function formatSetting(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SETTING_COLUMNS: ReadonlyArray<Column<SettingView>> = [
  { name: 'Setting', width: 'minmax(12rem, 1fr)', cell: ({ setting }) => <span className="mono">{setting}</span> },
  {
    name: 'Value',
    width: 'minmax(10rem, 1fr)',
    cell: ({ value }) =>
      value === null ? <span className="muted">none</span> : <span className="mono">{formatSetting(value)}</span>,
  },
  {
    name: 'Origin',
    width: 'minmax(8rem, 0.8fr)',
    cell: ({ origin }) => (origin === 'default' ? <span className="muted">default</span> : <strong>{origin}</strong>),
  },
  {
    name: 'Environment variable',
    width: 'minmax(19rem, 1.2fr)',
    cell: ({ env }) => <span className="mono muted">{env}</span>,
  },
];

function SettingTable(): ReactNode {
  const { data, error } = useQuery(settingsQuery);
  if (error !== null) return <ErrorNotice error={error} />;
  return (
    <>
      <p className="muted">
        Settings are read when the server starts. They cannot be changed from the dashboard or through the API.
      </p>
      {data !== undefined && (
        <DataTable
          label="Settings"
          rows={data.settings}
          columns={SETTING_COLUMNS}
          keyOf={({ setting }) => setting}
          minWidth="56rem"
        />
      )}
    </>
  );
}

function TokenTable(): ReactNode {
  const { data, error } = useQuery(tokensQuery);
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return null;
  if (data.tokens.length === 0)
    return (
      <div className="empty">
        <h2>No access tokens</h2>
        <p>A server that only listens on loopback needs none. Create one before listening on another address:</p>
        <code className="code">pinakes tokens create team --role read</code>
      </div>
    );
  return (
    <ul className="links">
      {data.tokens.map(({ name, role, sources, createdAt, expiresAt }) => (
        <li key={name}>
          <strong>{name}</strong>
          <span className="row">
            <span className="tag">{role}</span>{' '}
            <span className="muted">
              {sources?.join(' ') ?? 'all sources'}, created {formatAgo(createdAt)}
              {expiresAt === null ? '' : `, until ${expiresAt.slice(0, 10)}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
