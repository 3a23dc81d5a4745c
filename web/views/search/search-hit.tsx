// One search hit: an excerpt with highlighted terms for people, or the passage as an agent receives it.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { featureLabels, signalLabels } from '../../../src/core/answer/score-labels.table.ts';
import { answerMarkdown } from '../../../src/core/markdown/cited-markdown.ts';
import type { QueryTerms } from '../../../src/core/markdown/match-excerpt.ts';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import type { SearchAnswer } from '../../api/responses.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatAgo, formatCount, pathOf } from '../../components/format.ts';
import { ExcerptView } from '../../markdown/excerpt-view.tsx';

type Passage = SearchAnswer['passages'][number];

export interface SearchHitProps {
  readonly passage: Passage;
  readonly as: 'person' | 'agent';
  readonly terms: QueryTerms;
}

export function SearchHit({ passage, as, terms }: SearchHitProps): ReactNode {
  const { source, url, link, title, headings, text, version, checkedAt } = passage;
  const page = url.split('#', 1)[0] ?? url;
  return (
    <li className="hit">
      <h2>
        <Link to="/sources/$source/page" params={{ source }} search={{ url: page, ...(version !== '' && { version }) }}>
          {headings.at(-1) ?? title}
        </Link>
      </h2>
      <p className="path row">
        <span className="tag">{source}</span>
        {version !== '' && <span className="tag">{version}</span>}
        {headings.length > 1 && <span className="truncate">{headings.slice(0, -1).join(' › ')}</span>}
        <span className="mono truncate">{pathOf(page)}</span>
        <span>checked {formatAgo(checkedAt)}</span>
        {as === 'person' && <CopyButton text={link === undefined ? url : `${location.origin}${link}`} what="URL" />}
      </p>
      {as === 'person' ? <ExcerptView text={text} terms={terms} /> : <AgentPassage passage={passage} />}
      {passage.why !== undefined && (
        <>
          <ScoreBreakdown of="passage" scores={passage.why.passage} labels={featureLabels} />
          <ScoreBreakdown of="page" scores={passage.why.page} labels={signalLabels} />
        </>
      )}
    </li>
  );
}

/** By the function that renders it for MCP. */
function AgentPassage({ passage }: Pick<SearchHitProps, 'passage'>): ReactNode {
  const markdown = answerMarkdown([passage]);
  return (
    <>
      <pre className="code" tabIndex={0}>
        {markdown}
      </pre>
      <p className="muted small num row">
        <span>{formatCount(estimateTokens(markdown))} tokens</span>
        <span>
          lines {passage.lines.first}–{passage.lines.last}
        </span>
        <CopyButton text={markdown} what="passage" />
      </p>
    </>
  );
}

interface ScoreBreakdownProps {
  readonly of: 'page' | 'passage';
  readonly scores: Readonly<Record<string, number>>;
  readonly labels: Readonly<Record<string, string>>;
}

function ScoreBreakdown({ of, scores, labels }: ScoreBreakdownProps): ReactNode {
  const parts = Object.entries(scores).filter(([name]) => name !== 'score');
  const largest = Math.max(0.001, ...parts.map(([, value]) => Math.abs(value)));
  return (
    <div className="stack">
      <p className="small">
        Score of the {of} <strong className="num">{scores['score']?.toFixed(3)}</strong>
      </p>
      <div className="score-breakdown">
        {parts.map(([name, value]) => (
          <ScoreRow key={name} name={labels[name] ?? name} value={value} largest={largest} />
        ))}
      </div>
    </div>
  );
}

function ScoreRow({
  name,
  value,
  largest,
}: {
  readonly name: string;
  readonly value: number;
  readonly largest: number;
}): ReactNode {
  return (
    <>
      <span>{name}</span>
      <i className={value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
      <span className="num">{value.toFixed(3)}</span>
    </>
  );
}
