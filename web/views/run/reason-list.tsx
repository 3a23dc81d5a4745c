// Why URLs of a run did not become pages: failures by reason, which can be retried, exclusions by rule, and pages
// that were not stored.

import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { EXPLAINED_OUTCOMES, OUTCOME_LABELS } from '../../../src/core/outcome/outcome-labels.table.ts';
import { reasonLabel } from '../../../src/core/outcome/reasons.table.ts';
import type { ReasonView, RunView } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { runReasonsQuery, reasonUrlsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';

export function ReasonList({ run }: { readonly run: RunView }): ReactNode {
  const { data, error } = useQuery(runReasonsQuery(run.run, run.endedAt === null));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted">Counting…</p>;
  if (data.reasons.length === 0) return <p className="muted">No URL failed or was excluded.</p>;
  return EXPLAINED_OUTCOMES.map((outcome) => {
    const reasons = data.reasons.filter((reason) => reason.outcome === outcome);
    return reasons.length === 0 ? null : (
      <section key={outcome} className="section">
        <header>
          <h2>
            {OUTCOME_LABELS[outcome].title} <small className="muted num">{formatCount(run.counts[outcome])}</small>
          </h2>
          {outcome === 'failed' && <RetryButton run={run} reason={null} />}
        </header>
        {outcome === 'excluded' && (
          <p className="muted small">These URLs were never fetched. Widen the scope of the source to include them.</p>
        )}
        <ul className="reasons">
          {reasons.map((reason) => (
            <Reason key={reason.reason} reason={reason} run={run} />
          ))}
        </ul>
      </section>
    );
  });
}

function Reason({ reason, run }: { readonly reason: ReasonView; readonly run: RunView }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <span className="occurrences num">{formatCount(reason.count)}</span>
      <span className="row spread">
        <span>{reasonLabel(reason.reason)}</span>
        <span className="row">
          {reason.outcome === 'failed' && <RetryButton run={run} reason={reason.reason} />}
          <button
            className="button plain small"
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide URLs' : 'Show URLs'}
          </button>
        </span>
      </span>
      <div className="example small">
        {isOpen ? (
          <ReasonUrls run={run.run} reason={reason} />
        ) : (
          <a
            className="mono muted truncate"
            href={/^https?:\/\//.test(reason.example) ? reason.example : undefined}
            target="_blank"
            rel="noreferrer noopener"
          >
            {reason.example}
          </a>
        )}
      </div>
    </li>
  );
}

function ReasonUrls({ run, reason }: { readonly run: number; readonly reason: ReasonView }): ReactNode {
  const { data, error } = useQuery(reasonUrlsQuery(run, reason.outcome, reason.reason));
  if (error !== null) return <ErrorNotice error={error} />;
  return (
    <ul className="mono">
      {data?.urls.map(({ url }) => (
        <li key={url} className="plain-item truncate">
          {url}
        </li>
      ))}
      {data !== undefined && data.nextCursor !== null && <li className="plain-item muted">…and more</li>}
    </ul>
  );
}

/** Starts a separate run that fetches only the failed URLs. */
function RetryButton({ run, reason }: { readonly run: RunView; readonly reason: string | null }): ReactNode {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => {
      const filter = reason === null ? {} : { reason };
      return post<{ run: number }>(`/sources/${encodeURIComponent(run.source)}/recrawl`, { mode: 'retry', ...filter });
    },
    onSuccess: ({ run: next }) => navigate({ to: '/runs/$run', params: { run: String(next) } }),
  });
  return (
    <span className="row">
      {retry.error !== null && (
        <span className="small" role="alert">
          {retry.error.message}
        </span>
      )}
      <button
        className="button small"
        type="button"
        disabled={retry.isPending || run.endedAt === null}
        title={run.endedAt === null ? 'Available once this run has ended' : undefined}
        onClick={() => retry.mutate()}
      >
        {reason === null ? 'Retry all' : 'Retry'}
      </button>
    </span>
  );
}
