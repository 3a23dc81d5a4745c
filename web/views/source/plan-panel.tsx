// What a crawl would do: how much it knows before it begins, where that was found, and what the rules leave out.

import type { ReactNode } from 'react';
import type { Plan } from '../../api/responses.ts';
import { Failure } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';
import { Figure } from '../../components/stat.tsx';
import { routeWords, wayWords } from '../../components/discovery-labels.ts';

export interface PlanViewProps {
  readonly plan: Plan | undefined;
  readonly error: unknown;
  readonly isAsking: boolean;
  readonly isAddress: boolean;
}

export function PlanView({ plan, error, isAsking, isAddress }: PlanViewProps): ReactNode {
  return (
    <section className="section" aria-live="polite" aria-busy={isAsking}>
      <header>
        <h2>Plan</h2>
        <span className="quiet small">
          {isAsking ? 'Asking the site…' : plan === undefined ? '' : 'Nothing is stored'}
        </span>
      </header>
      {!isAddress && (
        <div className="empty">
          <p>As soon as there is an address, the site is asked for llms.txt, sitemaps and robots.txt, politely.</p>
        </div>
      )}
      {isAddress && error !== null && !isAsking && <Failure error={error} />}
      {isAddress && isAsking && plan === undefined && <div className="waiting" aria-hidden="true" />}
      {isAddress && plan !== undefined && <PlanFacts plan={plan} />}
    </section>
  );
}

function PlanFacts({ plan }: { readonly plan: Plan }): ReactNode {
  return (
    <div className="stack" style={{ gap: '1.25rem' }}>
      <dl className="figures">
        <Figure name="Known pages" value={count(plan.taken)} unit={plan.taken === 1 ? 'links may lead to more' : ''} />
        {Object.entries(plan.foundBy).map(([way, times]) => (
          <Figure key={way} name={`by ${wayWords(way)}`} value={count(times)} />
        ))}
      </dl>
      {plan.problems.map((problem) => (
        <p key={problem} className="notice" data-tone="warn">
          {problem}
        </p>
      ))}
      <p className="quiet">
        {plan.markdownRoute === null
          ? 'The site offers no Markdown of its pages, so they are read as HTML.'
          : `Pages are had as Markdown, by ${routeWords(plan.markdownRoute)}.`}
      </p>
      {plan.refused.length > 0 && (
        <div className="stack">
          <h3 className="label">Left out, by rule</h3>
          <ul className="reasons">
            {plan.refused.map(({ rule, times, example }) => (
              <li key={rule}>
                <span className="times num">{count(times)}</span>
                <span>{rule}</span>
                <span className="example mono quiet cut small">{example}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="stack">
        <h3 className="label">For example</h3>
        <ul className="links small">
          {plan.examples.slice(0, 10).map(({ url, foundBy }) => (
            <li key={url} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
              <span className="mono cut">{url}</span>
              <span className="tag">{wayWords(foundBy)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
