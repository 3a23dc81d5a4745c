// How the library is, and how this installation is set: coverage, staleness, failures, what waits, settings and tokens.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SettingView, SourceHealth } from '../../api/responses.ts';
import { library, settings, tokens, verify } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { ago, bytes, count, nounOf } from '../../components/format.ts';
import { ExportTable } from '../../components/download-bundle.tsx';
import { StateMark } from '../../components/state-badge.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { Figure } from '../../components/stat.tsx';

const STALE_DAYS = 30;

const SOURCES: ReadonlyArray<Column<SourceHealth>> = [
  {
    name: 'Source',
    width: 'minmax(10rem, 2fr)',
    cell: ({ source }) => (
      <Link to="/sources/$source" params={{ source }}>
        {source}
      </Link>
    ),
  },
  { name: 'Last run', width: '8rem', cell: ({ run }) => (run === null ? 'never' : <StateMark state={run.state} />) },
  { name: 'Coverage', width: '8rem', cell: (source) => coverage(source), isNumber: true },
  { name: 'Failed', width: '5rem', cell: ({ run }) => count(run?.counts.failed ?? 0), isNumber: true },
  {
    name: 'Duplicates',
    width: '6rem',
    cell: ({ versions }) => count(versions.at(-1)?.duplicates ?? 0),
    isNumber: true,
  },
  { name: 'Stalest page', width: '8rem', cell: (source) => stalest(source), isNumber: true },
];

export function HealthView(): ReactNode {
  const { data, error } = useQuery(library);
  const versions = data?.sources.flatMap((source) => source.versions) ?? [];
  const failed = data?.sources.reduce((sum, { run }) => sum + (run?.counts.failed ?? 0), 0) ?? 0;
  const copies = sumOf(versions, 'duplicates');
  const stale = versions.filter(({ oldestCheckAt }) => oldestCheckAt !== null && isStale(oldestCheckAt)).length;
  return (
    <div className="view">
      <ViewHead title="Library health">
        <p>What is stored, how fresh it is, and what waits to be done.</p>
      </ViewHead>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (
        <>
          <dl className="figures">
            <Figure name="Database" value={bytes(data.bytes)} unit={data.engine} />
            <Figure name="To be indexed" value={count(data.unindexed)} unit={nounOf(data.unindexed, 'page')} />
            <Figure
              name="To be embedded"
              value={data.spaces.length === 0 ? '–' : count(sumOf(data.spaces, 'wanted'))}
              unit={data.spaces.length === 0 ? 'no model' : nounOf(sumOf(data.spaces, 'wanted'), 'text')}
            />
            <Figure name="Duplicates" value={count(copies)} unit={nounOf(copies, 'page')} />
            <Figure name="Failed last time" value={count(failed)} unit={nounOf(failed, 'URL')} />
            <Figure name={`Over ${STALE_DAYS} days old`} value={count(stale)} unit={nounOf(stale, 'source')} />
            <Figure name="Events" value={count(data.lastSeq)} />
          </dl>
          <Tabs
            label="About the library"
            tabs={[
              { name: 'sources', label: 'Sources', panel: () => <SourceTable sources={data.sources} /> },
              { name: 'exports', label: 'Exports', panel: () => <ExportTable sources={data.sources} /> },
              { name: 'checks', label: 'Checks', panel: () => <Checks /> },
              { name: 'settings', label: 'Settings', panel: () => <SettingTable /> },
              { name: 'tokens', label: 'Tokens', panel: () => <TokenTable /> },
            ]}
          />
        </>
      )}
    </div>
  );
}

function sumOf<Name extends string>(all: ReadonlyArray<Readonly<Record<Name, number>>>, name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0);
}

function coverage({ run }: SourceHealth): string {
  if (run === null || run.counts.found === 0) return '–';
  const { found, failed, dropped, queued } = run.counts;
  return `${(((found - failed - dropped - queued) / found) * 100).toFixed(1)} %`;
}

function stalest({ versions }: SourceHealth): string {
  const at = versions.at(-1)?.oldestCheckAt;
  return at == null ? '–' : ago(at);
}

function isStale(at: string): boolean {
  return Date.now() - Date.parse(at) > STALE_DAYS * 86_400_000;
}

function SourceTable({ sources }: { readonly sources: readonly SourceHealth[] }): ReactNode {
  if (sources.length === 0) return <p className="quiet">There is no source yet.</p>;
  return <DataTable label="Sources" rows={sources} columns={SOURCES} keyOf={({ source }) => source} minWidth="50rem" />;
}

function Checks(): ReactNode {
  const { data, error, isFetching, refetch } = useQuery(verify);
  return (
    <>
      <p className="quiet">
        Every promise of the database, such as “no chunk without its page” and “counters equal rows”, is checked against
        its rows.
      </p>
      <p>
        <button className="button" type="button" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? 'Checking…' : 'Check now'}
        </button>
      </p>
      {error !== null && <Failure error={error} />}
      {data !== undefined && data.violations.length === 0 && (
        <StateMark state="completed" label="Every promise is kept" />
      )}
      {data?.violations.map(({ invariant, what, row }) => (
        <div key={`${invariant} ${row}`} className="notice" data-tone="bad">
          <strong>{invariant}</strong>
          <p>{what}</p>
          <p className="mono small">{row}</p>
        </div>
      ))}
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SETTINGS: ReadonlyArray<Column<SettingView>> = [
  { name: 'Setting', width: 'minmax(12rem, 1fr)', cell: ({ setting }) => <span className="mono">{setting}</span> },
  {
    name: 'Value',
    width: 'minmax(10rem, 1fr)',
    cell: ({ value }) =>
      value === null ? <span className="quiet">none</span> : <span className="mono">{shown(value)}</span>,
  },
  {
    name: 'Origin',
    width: 'minmax(8rem, 0.8fr)',
    cell: ({ origin }) => (origin === 'default' ? <span className="quiet">default</span> : <strong>{origin}</strong>),
  },
  { name: 'Variable', width: 'minmax(19rem, 1.2fr)', cell: ({ env }) => <span className="mono quiet">{env}</span> },
];

function SettingTable(): ReactNode {
  const { data, error } = useQuery(settings);
  if (error !== null) return <Failure error={error} />;
  return (
    <>
      <p className="quiet">Settings are read when the server starts. Nothing here, and no request, can change them.</p>
      {data !== undefined && (
        <DataTable
          label="Settings"
          rows={data.settings}
          columns={SETTINGS}
          keyOf={({ setting }) => setting}
          minWidth="56rem"
        />
      )}
    </>
  );
}

function TokenTable(): ReactNode {
  const { data, error } = useQuery(tokens);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  if (data.tokens.length === 0)
    return (
      <div className="empty">
        <h2>No token</h2>
        <p>On loopback none is needed. To listen elsewhere, make one first:</p>
        <code className="code">pinakes token create team --scope read</code>
      </div>
    );
  return (
    <ul className="links">
      {data.tokens.map(({ name, scope, createdAt }) => (
        <li key={name}>
          <strong>{name}</strong>
          <span className="row">
            <span className="tag">{scope}</span> <span className="quiet">since {ago(createdAt)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
