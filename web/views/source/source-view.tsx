// One source: its pages, to be filtered and read, and what it is allowed to take.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import type { PageView, SourceHealth } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { library, pagesOf } from '../../api/queries.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { ago, count, pathOf, until } from '../../components/format.ts';
import { StateMark } from '../../components/state-badge.tsx';
import { everyWords, settingsWords } from './describe-settings.ts';
import { SaveBundle } from '../../components/download-bundle.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { Figure } from '../../components/stat.tsx';

export function SourceView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source' });
  const { data, error } = useQuery(library);
  const source = data?.sources.find((one) => one.source === name);
  const isUnknown = data !== undefined && source === undefined;
  return (
    <div className="view">
      <ViewHead
        title={name}
        crumbs={<Link to="/">Sources</Link>}
        {...(source && { actions: <SourceActions source={source} /> })}
      >
        {source !== undefined && <p className="mono small">{source.start}</p>}
      </ViewHead>
      {error !== null && <Failure error={error} />}
      {isUnknown && (
        <div className="empty">
          <h2>There is no source of this name</h2>
          <Link className="button" to="/">
            To the sources
          </Link>
        </div>
      )}
      {source !== undefined && <SourceFacts source={source} />}
      {source !== undefined && <PageTable source={source} />}
    </div>
  );
}

function SourceActions({ source }: { readonly source: SourceHealth }): ReactNode {
  const navigate = useNavigate();
  const again = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(source.source)}/recrawl`),
    onSuccess: ({ run }) => navigate({ to: '/runs/$run', params: { run: String(run) } }),
  });
  return (
    <>
      {again.error !== null && (
        <span className="small" role="alert">
          {again.error.message}
        </span>
      )}
      <Link className="button" to="/sources/$source/edit" params={{ source: source.source }}>
        Change
      </Link>
      <Link className="button" to="/search" search={{ source: source.source }}>
        Search it
      </Link>
      {(source.versions.at(-1)?.pages ?? 0) > 0 && <SaveBundle source={source.source} isCompact={false} />}
      <button className="button first" type="button" disabled={again.isPending} onClick={() => again.mutate()}>
        Bring up to date
      </button>
    </>
  );
}

function SourceFacts({ source }: { readonly source: SourceHealth }): ReactNode {
  const version = source.versions.at(-1);
  const settings: Partial<SourceSettings> = source.settings;
  const rules = source.kind === 'folder' ? [] : settingsWords(settings);
  return (
    <>
      <dl className="figures">
        <Figure name="Pages" value={count(version?.pages ?? 0)} />
        <Figure name="Chunks" value={count(version?.chunks ?? 0)} />
        <Figure name="Stalest page" value={version?.oldestCheckAt == null ? '–' : ago(version.oldestCheckAt)} />
        <Figure name="Last change" value={version?.changedAt == null ? '–' : ago(version.changedAt)} />
        <NextRun at={source.nextRunAt} every={settings.every ?? null} />
      </dl>
      <div className="row small">
        {source.run !== null && (
          <Link to="/runs/$run" params={{ run: String(source.run.run) }}>
            <StateMark state={source.run.state} label={`run ${source.run.run} ${source.run.state}`} />
          </Link>
        )}
        {rules.map((words) => (
          <span key={words} className="tag">
            {words}
          </span>
        ))}
      </div>
    </>
  );
}

function NextRun({ at, every }: { readonly at: string | null; readonly every: string | null }): ReactNode {
  if (at === null || every === null) return <Figure name="Next run" value="when you ask" />;
  return <Figure name="Next run" value={until(at)} unit={everyWords(every)} />;
}

function PageTable({ source }: { readonly source: SourceHealth }): ReactNode {
  const [words, setWords] = useState('');
  const { data, error, isPending } = useQuery(pagesOf(source.source, undefined));
  const rows = useMemo(() => {
    const sorted = (data ?? []).toSorted((a, b) => (a.url < b.url ? -1 : 1));
    const asked = words.toLowerCase();
    return asked === '' ? sorted : sorted.filter(({ url, title }) => `${title} ${url}`.toLowerCase().includes(asked));
  }, [data, words]);
  const columns = useMemo(() => columnsFor(source.source), [source.source]);
  return (
    <section className="section">
      <header>
        <h2>Pages</h2>
        <label className="row">
          <span className="quiet small num">{count(rows.length)} shown</span>
          <input
            className="input"
            style={{ width: '16rem' }}
            aria-label="Pages whose title or path contains"
            placeholder="title or path contains…"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
      </header>
      {error !== null && <Failure error={error} />}
      {!isPending && rows.length === 0 && (
        <p className="quiet">
          {words === '' ? 'No page is stored yet. A run brings them.' : 'No page has these words.'}
        </p>
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
    { name: 'Path', width: 'minmax(12rem, 2fr)', cell: ({ url }) => <span className="mono quiet">{pathOf(url)}</span> },
    { name: 'Chunks', width: '5rem', cell: ({ chunks }) => count(chunks), isNumber: true },
    { name: 'Changed', width: '7rem', cell: ({ changedAt }) => ago(changedAt), isNumber: true },
    { name: 'Checked', width: '7rem', cell: ({ checkedAt }) => ago(checkedAt), isNumber: true },
  ];
}
