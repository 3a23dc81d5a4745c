// How a page changed: each time with what was taken out and what was put in.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PageChange, PageDetail } from '../../api/responses.ts';
import { pageHistory } from '../../api/queries.ts';
import { Failure } from '../../components/error-notice.tsx';
import { ago, count } from '../../components/format.ts';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const SAID = { same: '', added: 'added: ', removed: 'removed: ' } as const;

export function PageChanges({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(pageHistory(source, url, version));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="quiet">Looking…</p>;
  if (data.changes.length === 0)
    return (
      <p className="quiet">
        It has said the same since it was first read. Once it changes, the last five texts are kept here.
      </p>
    );
  return data.changes.map((change) => <Change key={change.at} change={change} />);
}

function Change({ change: { at, diff, hashBefore, hashAfter, isRemade } }: { readonly change: PageChange }): ReactNode {
  return (
    <section className="section">
      <header>
        <h2>{ago(at)}</h2>
        <span className="row small num">
          {diff !== null && (
            <>
              <span className="tag" data-tone="good">
                {count(diff.added)} {diff.added === 1 ? 'line' : 'lines'} in
              </span>
              <span className="tag" data-tone="bad">
                {count(diff.removed)} out
              </span>
            </>
          )}
          <span className="mono quiet" title={`${hashBefore} → ${hashAfter}`}>
            {hashBefore.slice(0, 8)} → {hashAfter.slice(0, 8)}
          </span>
        </span>
      </header>
      {isRemade && (
        <p className="quiet small">Another version of the extractor read it, so not all of this is the site’s doing.</p>
      )}
      {diff === null ? (
        <p className="quiet">A text of this length is not kept, so what changed cannot be shown.</p>
      ) : (
        <Diff diff={diff} />
      )}
    </section>
  );
}

function Diff({ diff }: { readonly diff: NonNullable<PageChange['diff']> }): ReactNode {
  return (
    <>
      {diff.hunks.map(({ before, after, lines }) => (
        <div key={`${before} ${after}`} className="diff" role="group" aria-label={`From line ${after}`}>
          <p className="label num">line {count(after)}</p>
          {lines.map(({ kind, text }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <p key={at} data-kind={kind}>
              <span aria-hidden="true">{SIGNS[kind]}</span>
              <span>
                <span className="visually-hidden">{SAID[kind]}</span>
                {text}
              </span>
            </p>
          ))}
        </div>
      ))}
      {diff.isCut && <p className="quiet">More changed than is shown.</p>}
    </>
  );
}
