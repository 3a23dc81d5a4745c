// The change history of a page, one diff per change.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RevisionDiff, PageDetail } from '../../api/responses.ts';
import { pageRevisionsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount, formatQuantity } from '../../components/format.ts';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const SPOKEN_SIGNS = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function PageRevisions({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(pageRevisionsQuery(source, url, version));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted">Loading…</p>;
  if (data.changes.length === 0)
    return (
      <p className="muted">No revisions since it was first stored. The last five revisions of a page are stored.</p>
    );
  return data.changes.map((change) => <PageChangeDetails key={change.at} change={change} />);
}

export function PageChangeDetails({
  change: { at, diff, hashBefore, hashAfter, isReprocessed },
}: {
  readonly change: RevisionDiff;
}): ReactNode {
  return (
    <section className="section">
      <header>
        <h2>{formatAgo(at)}</h2>
        <span className="row small num">
          {diff !== null && (
            <>
              <span className="tag" data-tone="good">
                {formatQuantity(diff.added, 'line')} added
              </span>
              <span className="tag" data-tone="bad">
                {formatCount(diff.removed)} removed
              </span>
            </>
          )}
          <span className="mono muted" title={`${hashBefore} → ${hashAfter}`}>
            {hashBefore.slice(0, 8)} → {hashAfter.slice(0, 8)}
          </span>
        </span>
      </header>
      {isReprocessed && (
        <p className="muted small">
          Extracted by a different version of Pinakes, so some of these changes do not come from the site.
        </p>
      )}
      {diff === null ? (
        <p className="muted">The text is too long to be stored, so the change cannot be shown.</p>
      ) : (
        <Diff diff={diff} />
      )}
    </section>
  );
}

function Diff({ diff }: { readonly diff: NonNullable<RevisionDiff['diff']> }): ReactNode {
  return (
    <>
      {diff.hunks.map(({ before, after, lines }) => (
        <div key={`${before} ${after}`} className="diff" role="group" aria-label={`From line ${after}`}>
          <p className="label num">line {formatCount(after)}</p>
          {lines.map(({ kind, text }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <p key={at} data-kind={kind}>
              <span aria-hidden="true">{SIGNS[kind]}</span>
              <span>
                <span className="visually-hidden">{SPOKEN_SIGNS[kind]}</span>
                {text}
              </span>
            </p>
          ))}
        </div>
      ))}
      {diff.isTruncated && <p className="muted">Not all changes are shown.</p>}
    </>
  );
}
