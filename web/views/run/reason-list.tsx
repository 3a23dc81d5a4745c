// Why URLs of a run ended without a page: what failed, grouped by cause and to be tried again, what a rule refused, and
// what was left out.

import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ReasonView, RunView } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { runReasons, urlsOfReason } from '../../api/queries.ts';
import { Failure } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';

const GROUPS = [
  { outcome: 'failed', title: 'Failed, by cause', tone: 'bad' },
  { outcome: 'refused', title: 'Refused, by rule', tone: 'none' },
  { outcome: 'skipped', title: 'Read and left out', tone: 'none' },
  { outcome: 'missing', title: 'Missing, and held', tone: 'warn' },
  { outcome: 'gone', title: 'Gone', tone: 'warn' },
  { outcome: 'dropped', title: 'Not asked', tone: 'none' },
] as const;

export function ReasonList({ run }: { readonly run: RunView }): ReactNode {
  const { data, error } = useQuery(runReasons(run.run, run.endedAt === null));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="quiet">Counting…</p>;
  if (data.reasons.length === 0) return <p className="quiet">Every URL that was found was taken.</p>;
  return GROUPS.map(({ outcome, title }) => {
    const reasons = data.reasons.filter((one) => one.outcome === outcome);
    return reasons.length === 0 ? null : (
      <section key={outcome} className="section">
        <header>
          <h2>
            {title} <small className="quiet num">{count(run.counts[outcome])}</small>
          </h2>
          {outcome === 'failed' && <TryAgain run={run} reason={null} />}
        </header>
        {outcome === 'refused' && (
          <p className="quiet small">They were never asked. A wider scope of the source takes them.</p>
        )}
        <ul className="reasons">
          {reasons.map((one) => (
            <Reason key={one.reason} reason={one} run={run} />
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
      <span className="times num">{count(reason.times)}</span>
      <span className="row apart">
        <span>{reason.reason}</span>
        <span className="row">
          {reason.outcome === 'failed' && <TryAgain run={run} reason={reason.reason} />}
          <button
            className="button plain small"
            type="button"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide them' : 'Show them'}
          </button>
        </span>
      </span>
      <div className="example small">
        {isOpen ? (
          <Urls run={run.run} reason={reason} />
        ) : (
          <a
            className="mono quiet cut"
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

function Urls({ run, reason }: { readonly run: number; readonly reason: ReasonView }): ReactNode {
  const { data, error } = useQuery(urlsOfReason(run, reason.outcome, reason.reason));
  if (error !== null) return <Failure error={error} />;
  return (
    <ul className="mono">
      {data?.urls.map(({ url }) => (
        <li key={url} className="plain-item cut">
          {url}
        </li>
      ))}
      {data !== undefined && data.after !== null && <li className="plain-item quiet">and more</li>}
    </ul>
  );
}

/** A run of its own, which asks what failed and nothing else. */
function TryAgain({ run, reason }: { readonly run: RunView; readonly reason: string | null }): ReactNode {
  const navigate = useNavigate();
  const again = useMutation({
    mutationFn: () => {
      const only = reason === null ? {} : { reason };
      return post<{ run: number }>(`/sources/${encodeURIComponent(run.source)}/recrawl`, { mode: 'retry', ...only });
    },
    onSuccess: ({ run: next }) => navigate({ to: '/runs/$run', params: { run: String(next) } }),
  });
  return (
    <span className="row">
      {again.error !== null && (
        <span className="small" role="alert">
          {again.error.message}
        </span>
      )}
      <button
        className="button small"
        type="button"
        disabled={again.isPending || run.endedAt === null}
        title={run.endedAt === null ? 'Once this run has ended' : undefined}
        onClick={() => again.mutate()}
      >
        {reason === null ? 'Try all of them again' : 'Try again'}
      </button>
    </span>
  );
}
