// One passage: as a person reads it, with the words marked, or as an agent gets it, with all that it can cite.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import type { SearchAnswer } from '../../api/responses.ts';
import { ago, count, pathOf } from '../../components/format.ts';
import { markWords } from '../mark-words.ts';
import { plainWords } from '../../markdown/strip-markdown.ts';

type Passage = SearchAnswer['passages'][number];

export interface HitProps {
  readonly passage: Passage;
  readonly as: 'person' | 'agent';
  readonly words: string;
}

export function Hit({ passage, as, words }: HitProps): ReactNode {
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
        {headings.length > 1 && <span className="cut">{headings.slice(0, -1).join(' › ')}</span>}
        <span className="mono cut">{pathOf(page)}</span>
      </p>
      {as === 'person' ? (
        <p className="excerpt">
          {markWords(excerpt(text), words).map(({ text: part, isWord }, at) =>
            isWord ? <mark key={at}>{part}</mark> : part,
          )}
        </p>
      ) : (
        <AgentPassage passage={passage} />
      )}
      {passage.why !== undefined && <Why why={passage.why} />}
    </li>
  );
}

const EXCERPT_CHARS = 420;

function excerpt(text: string): string {
  const plain = plainWords(text);
  return plain.length <= EXCERPT_CHARS ? plain : `${plain.slice(0, EXCERPT_CHARS)}…`;
}

function AgentPassage({ passage }: { readonly passage: Passage }): ReactNode {
  return (
    <>
      <pre className="code excerpt" tabIndex={0}>
        {passage.text}
      </pre>
      <p className="quiet small num row">
        <span>{count(estimateTokens(passage.text))} tokens</span>
        <span>
          lines {passage.lines.first}–{passage.lines.last}
        </span>
        <span>checked {ago(passage.checkedAt)}</span>
        <span className="mono">{passage.chunk.slice(0, 16)}</span>
      </p>
    </>
  );
}

function Why({ why }: { readonly why: Readonly<Record<string, number>> }): ReactNode {
  const parts = Object.entries(why).filter(([name]) => name !== 'score');
  const largest = Math.max(0.001, ...parts.map(([, value]) => Math.abs(value)));
  return (
    <div className="stack">
      <p className="small">
        Score <strong className="num">{why['score']?.toFixed(3)}</strong>, made of
      </p>
      <div className="why">
        {parts.map(([name, value]) => (
          <WhyRow key={name} name={name} value={value} largest={largest} />
        ))}
      </div>
    </div>
  );
}

function WhyRow({
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
      <i className={value < 0 ? 'less' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
      <span className="num">{value.toFixed(3)}</span>
    </>
  );
}
