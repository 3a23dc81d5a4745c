// Removes a source: first what would be deleted with it, then its name typed as a confirmation, because there is no way back.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { RemoveSourceResult, RunStatus, SourceStats } from '../../api/responses.ts';
import { remove } from '../../api/client.ts';
import { libraryQuery, queryClient, sourceRunsQuery } from '../../api/queries.ts';
import { DownloadBundle } from '../../components/download-bundle.tsx';
import { ErrorNotice, FormError } from '../../components/error-notice.tsx';
import { formatQuantity } from '../../components/format.ts';
import { ViewHeader } from '../../components/view-header.tsx';
import { describeInterval } from './describe-settings.ts';

export function RemoveView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source/remove' });
  const { data, error } = useQuery(libraryQuery);
  const [removed, setRemoved] = useState<RemoveSourceResult | null>(null);
  const source = data?.sources.find((one) => one.source === name);
  const crumbs = (
    <>
      <Link to="/">Sources</Link>
      {removed === null && (
        <>
          <span aria-hidden="true">/</span>
          <Link to="/sources/$source" params={{ source: name }}>
            {name}
          </Link>
        </>
      )}
    </>
  );
  return (
    <div className="view">
      <ViewHeader title={removed === null ? `Remove ${name}` : `${name} was removed`} crumbs={crumbs} />
      {error !== null && <ErrorNotice error={error} />}
      {removed !== null && <Removed {...removed} />}
      {removed === null && source !== undefined && <RemoveForm source={source} onRemoved={setRemoved} />}
      {removed === null && data !== undefined && source === undefined && <p className="empty">Source not found.</p>}
    </div>
  );
}

function Removed({ pages, chunks }: RemoveSourceResult): ReactNode {
  return (
    <div className="empty" role="status">
      <p>
        {formatQuantity(pages, 'page')} and {formatQuantity(chunks, 'chunk')} are no longer in the library.
      </p>
      <Link className="button" to="/">
        Back to sources
      </Link>
    </div>
  );
}

interface RemoveFormProps {
  readonly source: SourceStats;
  readonly onRemoved: (result: RemoveSourceResult) => void;
}

function RemoveForm({ source, onRemoved }: RemoveFormProps): ReactNode {
  const [typed, setTyped] = useState('');
  const { source: name } = source;
  const { data: runs } = useQuery(sourceRunsQuery(name));
  const removal = useMutation({
    mutationFn: () => remove<RemoveSourceResult>(`/sources/${encodeURIComponent(name)}`),
    onSuccess: async (result) => {
      onRemoved(result);
      await queryClient.invalidateQueries();
    },
  });
  return (
    <form
      className="stack remove-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === name) removal.mutate();
      }}
    >
      <div className="notice" data-tone="bad">
        <strong>This deletes, and cannot be undone:</strong>
        <ul className="bullets">
          {whatGoes(source, runs).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      {source.versions.some(({ pages }) => pages > 0) && (
        <p className="row">
          <span className="muted">
            A bundle keeps the pages, and <code className="mono">pinakes import</code> reads them back:
          </span>
          <DownloadBundle source={name} isCompact={false} />
        </p>
      )}
      <label className="field">
        <span>
          Type <code className="mono">{name}</code> to confirm
        </span>
        <input
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {removal.error !== null && <FormError title="Could not remove the source" error={removal.error} />}
      <p className="row">
        <button className="button primary" type="submit" disabled={typed !== name || removal.isPending}>
          {removal.isPending ? 'Removing…' : 'Remove this source'}
        </button>
        <Link className="button plain" to="/sources/$source" params={{ source: name }}>
          Cancel
        </Link>
      </p>
    </form>
  );
}

function whatGoes({ versions, run, settings, nextRunAt }: SourceStats, status: RunStatus | undefined): string[] {
  const { every } = settings;
  return [
    ...versions.map(({ version, pages, chunks }) => {
      const label = version === '' ? '' : `version ${version}: `;
      return `${label}${formatQuantity(pages, 'page')} with their earlier revisions, and ${formatQuantity(chunks, 'chunk')}`;
    }),
    ...(status === undefined ? [] : [describeRuns(status)]),
    ...(run !== null && run.endedAt === null ? [`run ${run.run}, which is ${run.state} and is stopped`] : []),
    ...(nextRunAt !== null && typeof every === 'string' ? [`its schedule, ${describeInterval(every)}`] : []),
  ];
}

function describeRuns({ runs, cursors }: RunStatus): string {
  const more = cursors.nextBefore === null ? '' : ' or more';
  return `${formatQuantity(runs.length, 'run')}${more}, with their events and problems`;
}
