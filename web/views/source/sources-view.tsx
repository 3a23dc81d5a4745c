// All sources of the library: what they hold, how fresh they are, and the state of their latest runs.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { versionLabel } from '../../../src/core/model/declared-version.ts';
import type { ReactNode } from 'react';
import type { LibraryStats, SourceStats } from '../../api/responses.ts';
import { libraryQuery } from '../../api/queries.ts';
import { useLiveRun } from '../../live/live-store.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Stat } from '../../components/stat.tsx';
import { formatAgo, formatCompact, formatBytes, formatCount, formatUntil, pluralize } from '../../components/format.ts';
import { OutcomeMeter } from '../../components/outcome-meter.tsx';
import { RunReason } from '../../components/run-reason.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { AnalyzeButton } from './analyze-button.tsx';
import { ViewHeader } from '../../components/view-header.tsx';

export function SourcesView(): ReactNode {
  const { data, error } = useQuery(libraryQuery);
  const add = (
    <>
      <Link to="/analysis">Analyses</Link>
      <AnalyzeButton />
      <Link className="button primary" to="/add">
        Add a source
      </Link>
    </>
  );
  return (
    <div className="view">
      <ViewHeader title="Sources" {...(data !== undefined && data.sources.length > 0 && { actions: add })}>
        <p>Documentation that people and agents can search.</p>
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && (data.sources.length === 0 ? <EmptyLibrary /> : <SourceList stats={data} />)}
    </div>
  );
}

function EmptyLibrary(): ReactNode {
  return (
    <section className="empty">
      <h2>The library is empty</h2>
      <p>
        Enter the start URL of a documentation site. You can see which pages would be crawled, and which rules exclude
        the others, before anything is stored.
      </p>
      <Link className="button primary" to="/add">
        Add your first source
      </Link>
      <p className="small">Or on the command line:</p>
      <code className="code">pinakes add https://docs.example.dev --wait</code>
    </section>
  );
}

function SourceList({ stats }: { readonly stats: LibraryStats }): ReactNode {
  const versions = stats.sources.flatMap((source) => source.versions);
  const failed = stats.sources.filter(({ run }) => run?.state === 'failed').length;
  const sum = (field: 'pages' | 'chunks'): number => versions.reduce((total, version) => total + version[field], 0);
  return (
    <>
      <dl className="stats">
        <Stat name="Sources" value={formatCount(stats.sources.length)} />
        {failed > 0 && <Stat name="Failed sources" value={formatCount(failed)} unit="latest run" />}
        <Stat name="Pages" value={formatCount(sum('pages'))} />
        <Stat name="Chunks" value={formatCount(sum('chunks'))} />
        <Stat name="On disk" value={stats.bytes === null ? '–' : formatBytes(stats.bytes)} />
        <Stat name="Not yet indexed" value={formatCount(stats.unindexed)} />
      </dl>
      <ul className="sources">
        {stats.sources.map((source) => (
          <SourceRow key={source.source} source={source} />
        ))}
      </ul>
    </>
  );
}

type Version = SourceStats['versions'][number];

const NO_VERSION: Version = {
  version: '',
  declaredVersion: null,
  pages: 0,
  duplicates: 0,
  chunks: 0,
  oldestCheckAt: null,
  newestCheckAt: null,
  changedAt: null,
  usageTerms: [],
  licenses: [],
};

function SourceRow({ source }: { readonly source: SourceStats }): ReactNode {
  const live = useLiveRun(source.run?.run ?? -1);
  const run = live?.view ?? source.run;
  const version = source.versions.at(-1) ?? NO_VERSION;
  const shown = versionLabel(version.version, version.declaredVersion);
  return (
    <li className="source">
      <div className="source-name">
        <h2>
          <Link to="/sources/$source" params={{ source: source.source }}>
            {source.source}
          </Link>{' '}
          {shown !== '' && <span className="tag">{shown}</span>}
        </h2>
        <p className="truncate muted small mono">{source.startUrl}</p>
        <RunReason run={run} />
      </div>
      <p className="num source-size">
        <strong>{formatCompact(version.pages)}</strong> {pluralize(version.pages, 'page')}
        <br />
        <span className="muted small">
          {formatCompact(version.chunks)} {pluralize(version.chunks, 'chunk')}
        </span>
      </p>
      <p
        className="source-freshness"
        title={version.changedAt === null ? undefined : `changed ${formatAgo(version.changedAt)}`}
      >
        {version.newestCheckAt === null ? emptyText(run) : `checked ${formatAgo(version.newestCheckAt)}`}
        <br />
        <span className="muted small">
          {source.nextRunAt === null ? 'not scheduled' : `next run ${formatUntil(source.nextRunAt)}`}
        </span>
      </p>
      <div className="source-run">{run !== null && <RunLine run={run} />}</div>
    </li>
  );
}

/** The text of a source without pages. */
function emptyText(run: SourceStats['run']): string {
  if (run === null) return 'not crawled yet';
  return run.endedAt === null ? 'being crawled' : 'nothing stored';
}

function RunLine({ run }: { readonly run: NonNullable<SourceStats['run']> }): ReactNode {
  return (
    <div className="stack">
      <Link to="/runs/$run" params={{ run: String(run.run) }} className="row spread" style={{ textDecoration: 'none' }}>
        <StateBadge state={run.state} />
        <span className="muted small num">run {run.run}</span>
      </Link>
      <OutcomeMeter counts={run.counts} legend={false} />
    </div>
  );
}
