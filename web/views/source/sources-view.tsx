// Every source of the library: what it holds, how fresh it is, and what its latest run does.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LibraryHealth, SourceHealth } from '../../api/responses.ts';
import { library } from '../../api/queries.ts';
import { useLiveRun } from '../../live/live-store.ts';
import { Failure } from '../../components/error-notice.tsx';
import { Figure } from '../../components/stat.tsx';
import { ago, brief, bytes, count, until } from '../../components/format.ts';
import { OutcomeMeter } from '../../components/outcome-meter.tsx';
import { StateMark } from '../../components/state-badge.tsx';
import { ViewHead } from '../../components/view-header.tsx';

export function SourcesView(): ReactNode {
  const { data, error } = useQuery(library);
  const add = (
    <Link className="button first" to="/add">
      Add a source
    </Link>
  );
  return (
    <div className="view">
      <ViewHead title="Sources" {...(data !== undefined && data.sources.length > 0 && { actions: add })}>
        <p>The documentation that agents and people can ask here.</p>
      </ViewHead>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (data.sources.length === 0 ? <FirstSource /> : <SourceList health={data} />)}
    </div>
  );
}

function FirstSource(): ReactNode {
  return (
    <section className="empty">
      <h2>The library is empty</h2>
      <p>
        Give the address where some documentation begins. You see what would be read, and what would be left out and by
        which rule, before anything is stored.
      </p>
      <Link className="button first" to="/add">
        Add the first source
      </Link>
      <p className="small">On the command line, the same is:</p>
      <code className="code">pinakes add https://docs.example.dev --wait</code>
    </section>
  );
}

function SourceList({ health }: { readonly health: LibraryHealth }): ReactNode {
  const versions = health.sources.flatMap((source) => source.versions);
  const sum = (of: 'pages' | 'chunks'): number => versions.reduce((total, version) => total + version[of], 0);
  return (
    <>
      <dl className="figures">
        <Figure name="Sources" value={count(health.sources.length)} />
        <Figure name="Pages" value={count(sum('pages'))} />
        <Figure name="Chunks" value={count(sum('chunks'))} />
        <Figure name="On disk" value={bytes(health.bytes)} />
        <Figure name="To be indexed" value={count(health.unindexed)} />
      </dl>
      <ul className="sources">
        {health.sources.map((source) => (
          <SourceRow key={source.source} source={source} />
        ))}
      </ul>
    </>
  );
}

type Version = SourceHealth['versions'][number];

const NO_VERSION: Version = {
  version: '',
  pages: 0,
  duplicates: 0,
  chunks: 0,
  oldestCheckAt: null,
  newestCheckAt: null,
  changedAt: null,
};

function SourceRow({ source }: { readonly source: SourceHealth }): ReactNode {
  const live = useLiveRun(source.run?.run ?? -1);
  const run = live?.view ?? source.run;
  const version = source.versions.at(-1) ?? NO_VERSION;
  return (
    <li className="source">
      <div className="source-name">
        <h2>
          <Link to="/sources/$source" params={{ source: source.source }}>
            {source.source}
          </Link>{' '}
          {version.version !== '' && <span className="tag">{version.version}</span>}
        </h2>
        <p className="cut quiet small mono">{source.start}</p>
      </div>
      <p className="num source-size">
        <strong>{brief(version.pages)}</strong> pages
        <br />
        <span className="quiet small">{brief(version.chunks)} chunks</span>
      </p>
      <p className="source-fresh" title={version.changedAt === null ? undefined : `changed ${ago(version.changedAt)}`}>
        {version.newestCheckAt === null ? 'not read yet' : `checked ${ago(version.newestCheckAt)}`}
        <br />
        <span className="quiet small">
          next run {source.nextRunAt === null ? 'when you ask' : until(source.nextRunAt)}
        </span>
      </p>
      <div className="source-run">{run !== null && <RunLine run={run} />}</div>
    </li>
  );
}

function RunLine({ run }: { readonly run: NonNullable<SourceHealth['run']> }): ReactNode {
  return (
    <div className="stack">
      <Link to="/runs/$run" params={{ run: String(run.run) }} className="row apart" style={{ textDecoration: 'none' }}>
        <StateMark state={run.state} />
        <span className="quiet small num">run {run.run}</span>
      </Link>
      <OutcomeMeter counts={run.counts} legend={false} />
    </div>
  );
}
