// The plan of a crawl: the pages it would start with, how they were discovered, and what the rules exclude.

import type { ReactNode } from 'react';
import type { Plan } from '../../api/responses.ts';
import { FormError } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';
import { Stat } from '../../components/stat.tsx';
import { markdownRouteLabel, discoveryLabel } from '../../components/discovery-labels.ts';

export interface PlanPanelProps {
  readonly plan: Plan | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly hasUrl: boolean;
}

export function PlanPanel({ plan, error, isLoading, hasUrl }: PlanPanelProps): ReactNode {
  return (
    <section className="section" aria-live="polite" aria-busy={isLoading}>
      <header>
        <h2>Plan</h2>
        <span className="muted small">
          {isLoading ? 'Contacting the site…' : plan === undefined ? '' : 'Preview only'}
        </span>
      </header>
      {!hasUrl && (
        <div className="empty">
          <p>Enter a start URL to see what a crawl would find through llms.txt, sitemaps and robots.txt.</p>
        </div>
      )}
      {hasUrl && error !== null && !isLoading && <FormError title="Planning failed" error={error} />}
      {hasUrl && isLoading && plan === undefined && <div className="loading" aria-hidden="true" />}
      {hasUrl && plan !== undefined && <PlanSummary plan={plan} />}
    </section>
  );
}

function PlanSummary({ plan }: { readonly plan: Plan }): ReactNode {
  if (plan.verdict?.isBlocking) return <p className="muted">A crawl would store nothing.</p>;
  return (
    <div className="stack" style={{ gap: '1.25rem' }}>
      <dl className="stats">
        <Stat
          name="Pages found"
          value={formatCount(plan.accepted)}
          unit={plan.accepted === 1 ? 'links may lead to more pages' : ''}
        />
        {Object.entries(plan.foundBy).map(([foundBy, pages]) => (
          <Stat key={foundBy} name={`From ${discoveryLabel(foundBy)}`} value={formatCount(pages)} />
        ))}
      </dl>
      {plan.problems
        .filter((problem) => !problem.startsWith(`${plan.startUrl}: `))
        .map((problem) => (
          <p key={problem} className="notice" data-tone="warn">
            {problem}
          </p>
        ))}
      <p className="muted">
        {plan.markdownRoute === null
          ? 'The site does not provide Markdown versions of its pages, so they are extracted from HTML.'
          : `Pages are fetched as Markdown (${markdownRouteLabel(plan.markdownRoute)}).`}
      </p>
      <PlannedRendering {...plan.rendering} />
      {plan.excluded.length > 0 && (
        <div className="stack">
          <h3 className="label">Excluded, by rule</h3>
          <ul className="reasons">
            {plan.excluded.map(({ rule, count, example }) => (
              <li key={rule}>
                <span className="occurrences num">{formatCount(count)}</span>
                <span>{rule}</span>
                <span className="example mono muted truncate small">{example}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="stack">
        <h3 className="label">Examples</h3>
        <ul className="links small">
          {plan.examples.slice(0, 10).map(({ url, foundBy }) => (
            <li key={url} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
              <span className="mono truncate">{url}</span>
              <span className="tag">{discoveryLabel(foundBy)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** What is wrong with the plan. It stands next to the URL, above the settings, so that it is read before them. */
export function PlanNotice({ plan }: { readonly plan: Plan | undefined }): ReactNode {
  if (plan == null || plan.verdict === null) return null;
  const { title, text, isBlocking } = plan.verdict;
  return (
    <div className="notice" data-tone={isBlocking ? 'bad' : 'warn'} role="status">
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  );
}

const RENDER_REASONS: Readonly<Record<Plan['rendering']['pages'][number]['reason'], string>> = {
  empty: 'empty without a browser',
  route: 'route in the fragment',
  always: 'always rendered',
};

function PlannedRendering({ mode, pages }: Plan['rendering']): ReactNode {
  if (pages.length === 0) return null;
  return (
    <div className="stack">
      <h3 className="label">{mode === 'never' ? 'Needs a browser, and is not rendered' : 'Rendered in a browser'}</h3>
      <ul className="links small">
        {pages.map(({ url, reason }) => (
          <li key={url} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
            <span className="mono truncate">{url}</span>
            <span className="tag">{RENDER_REASONS[reason]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
