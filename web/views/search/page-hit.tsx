// The hits of one page for people: the page once, below it each section with its heading and the part that matches.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sectionPath } from '../../../src/core/answer/cited-markdown.ts';
import { markHeading, matchExcerpt, type QueryTerms } from '../../../src/core/answer/match-excerpt.ts';
import type { SearchAnswer } from '../../api/responses.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatAgo, pathOf } from '../../components/format.ts';
import { ExcerptView, markedText } from '../../markdown/excerpt-view.tsx';
import { PassageScores } from './score-breakdown.tsx';

type Passage = SearchAnswer['passages'][number];

export interface PageHitProps {
  /** Passages of one page, the best first. */
  readonly passages: readonly Passage[];
  readonly terms: QueryTerms;
}

export function PageHit({ passages, terms }: PageHitProps): ReactNode {
  const [first] = passages;
  if (first === undefined) return null;
  const { source, version, url, title, checkedAt, isImported } = first;
  return (
    <li className="hit">
      <h2>
        <PageLink passage={first}>{title}</PageLink>
      </h2>
      <p className="path row">
        <span className="tag">{source}</span>
        {version !== '' && <span className="tag">{version}</span>}
        <span className="mono truncate">{pathOf(pageOf(url))}</span>
        <span>
          {isImported === true ? 'imported' : 'checked'} {formatAgo(checkedAt)}
        </span>
      </p>
      {passages.map((passage, at) => (
        <SectionHit
          key={`${passage.chunkId} ${passage.lines.first}`}
          passage={passage}
          terms={terms}
          isFirst={at === 0}
        />
      ))}
    </li>
  );
}

interface SectionHitProps {
  readonly passage: Passage;
  readonly terms: QueryTerms;
  readonly isFirst: boolean;
}

function SectionHit({ passage, terms, isFirst }: SectionHitProps): ReactNode {
  const { url, link, title, isPartial, explanation } = passage;
  const path = sectionPath(passage);
  const { blocks, hasMore } = matchExcerpt(passage, terms);
  // The text below the title has the title as its heading.
  const hasHeading = path.length > 0 || !isFirst;
  return (
    <section className="hit-section">
      {hasHeading && (
        <h3>
          {path.length > 1 && <span className="muted">{path.slice(0, -1).join(' › ')} › </span>}
          <PageLink passage={passage} isSection>
            {markedText(markHeading(path.at(-1) ?? title, terms))}
          </PageLink>
        </h3>
      )}
      <ExcerptView blocks={blocks} />
      <p className="row small">
        {(isPartial || hasMore) && (
          <PageLink passage={passage} isSection>
            More in this section
          </PageLink>
        )}
        <CopyButton text={link === undefined ? url : `${location.origin}${link}`} what="URL" />
      </p>
      <PassageScores explanation={explanation} />
    </section>
  );
}

interface PageLinkProps {
  readonly passage: Passage;
  /** Leads to the section rather than to the top of the page. */
  readonly isSection?: boolean;
  readonly children: ReactNode;
}

function PageLink({ passage, isSection = false, children }: PageLinkProps): ReactNode {
  const { source, version, url, lines } = passage;
  const [, anchor = `line-${lines.first}`] = url.split('#', 2);
  return (
    <Link
      to="/sources/$source/page"
      params={{ source }}
      search={{ url: pageOf(url), ...(version !== '' && { version }) }}
      {...(isSection && { hash: anchor })}
    >
      {children}
    </Link>
  );
}

function pageOf(url: string): string {
  return url.split('#', 1)[0] ?? url;
}
