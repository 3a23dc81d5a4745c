// One search hit: an excerpt with highlighted terms for people, or the passage as an agent receives it.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { tokenize } from '../../../src/core/lexical/tokenize/tokenize.ts';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import type { SearchAnswer } from '../../api/responses.ts';
import { formatAgo, formatCount, pathOf } from '../../components/format.ts';
import { stripMarkdown } from '../../markdown/strip-markdown.ts';

type Passage = SearchAnswer['passages'][number];

export interface SearchHitProps {
  readonly passage: Passage;
  readonly as: 'person' | 'agent';
  readonly query: string;
}

export function SearchHit({ passage, as, query }: SearchHitProps): ReactNode {
  const { source, url, title, headings, text, version } = passage;
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
      </p>
      {as === 'person' ? (
        <p className="excerpt">
          {highlightTerms(excerpt(text), query).map(({ text: span, isMatch }, at) =>
            isMatch ? <mark key={at}>{span}</mark> : span,
          )}
        </p>
      ) : (
        <AgentPassage passage={passage} />
      )}
      {passage.why !== undefined && <ScoreBreakdown why={passage.why} />}
    </li>
  );
}

interface TextSpan {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text at the words that match the query, by the tokenizer of the search index. */
function highlightTerms(text: string, query: string): readonly TextSpan[] {
  const queryTokens = new Set(tokenize(query));
  const spans: TextSpan[] = [];
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]+/gu)) {
    const isMatch = tokenize(word).some((token) => queryTokens.has(token));
    const last = spans.at(-1);
    if (last !== undefined && !last.isMatch && !isMatch) spans[spans.length - 1] = { text: last.text + word, isMatch };
    else spans.push({ text: word, isMatch });
  }
  return spans;
}

const EXCERPT_CHARS = 420;

function excerpt(text: string): string {
  const plain = stripMarkdown(text);
  return plain.length <= EXCERPT_CHARS ? plain : `${plain.slice(0, EXCERPT_CHARS)}…`;
}

function AgentPassage({ passage }: { readonly passage: Passage }): ReactNode {
  return (
    <>
      <pre className="code excerpt" tabIndex={0}>
        {passage.text}
      </pre>
      <p className="muted small num row">
        <span>{formatCount(estimateTokens(passage.text))} tokens</span>
        <span>
          lines {passage.lines.first}–{passage.lines.last}
        </span>
        <span>checked {formatAgo(passage.checkedAt)}</span>
        <span className="mono">{passage.chunk.slice(0, 16)}</span>
      </p>
    </>
  );
}

function ScoreBreakdown({ why }: { readonly why: Readonly<Record<string, number>> }): ReactNode {
  const signals = Object.entries(why).filter(([name]) => name !== 'score');
  const largest = Math.max(0.001, ...signals.map(([, value]) => Math.abs(value)));
  return (
    <div className="stack">
      <p className="small">
        Score <strong className="num">{why['score']?.toFixed(3)}</strong>, by signal
      </p>
      <div className="score-breakdown">
        {signals.map(([name, value]) => (
          <ScoreRow key={name} name={name} value={value} largest={largest} />
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
      <span>{name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}</span>
      <i className={value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
      <span className="num">{value.toFixed(3)}</span>
    </>
  );
}
