// One answer to a question, with the filters that made it.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SearchAnswer } from '../../api/responses.ts';
import { search } from '../../api/queries.ts';
import { Failure } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';
import { Hit } from './search-hit.tsx';

export interface SearchPaneProps {
  readonly query: string;
  readonly source: string | undefined;
  readonly as: 'person' | 'agent';
  readonly budget: number;
  readonly label?: string;
}

const KINDS = ['prose', 'code', 'table', 'data', 'operation', 'image'] as const;
const BUDGETS = [400, 800, 2000, 3000, 8000] as const;

export function SearchPane({ query, source, as, budget: first, label }: SearchPaneProps): ReactNode {
  const [kind, setKind] = useState('');
  const [budget, setBudget] = useState(first);
  const [explain, setExplain] = useState(false);
  const asked = {
    query,
    source,
    kind: kind === '' ? undefined : kind,
    budget,
    explain,
    limit: as === 'person' ? 20 : 8,
  };
  const { data, error, isFetching } = useQuery({ ...search(asked), placeholderData: keepPreviousData });
  return (
    <section className="section" aria-busy={isFetching} aria-label={label === undefined ? 'Answer' : `Answer ${label}`}>
      <div className="search-form">
        <div className="filters small">
          {label !== undefined && <strong className="tag">{label}</strong>}
          <Choice name="Kind" value={kind} options={['', ...KINDS]} onChange={setKind} />
          <Choice
            name="Budget"
            value={String(budget)}
            options={BUDGETS.map(String)}
            onChange={(value) => setBudget(Number(value))}
          />
          <label className="row" style={{ gap: '0.35rem' }}>
            <input type="checkbox" checked={explain} onChange={(event) => setExplain(event.target.checked)} />
            say why
          </label>
        </div>
      </div>
      {error !== null && <Failure error={error} />}
      {data !== undefined && <Answer answer={data} as={as} words={query} budget={budget} />}
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <label className="row" style={{ gap: '0.4rem' }}>
      <span className="label">{name}</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((one) => (
          <option key={one} value={one}>
            {one === '' ? 'any' : one}
          </option>
        ))}
      </select>
    </label>
  );
}

interface AnswerProps {
  readonly answer: SearchAnswer;
  readonly as: 'person' | 'agent';
  readonly words: string;
  readonly budget: number;
}

function Answer({ answer, as, words, budget }: AnswerProps): ReactNode {
  const { passages, tokens, corrections, near, searched } = answer;
  return (
    <div className="stack" aria-live="polite">
      <p className="quiet small num">
        {count(passages.length)} {passages.length === 1 ? 'passage' : 'passages'}, {count(tokens)} of {count(budget)}{' '}
        tokens, {answer.mode}, in {searched.join(', ')}
      </p>
      {corrections.map(({ word, readAs }) => (
        <p key={word} className="small">
          <span className="tag" data-tone="warn">
            {word}
          </span>{' '}
          was read as {readAs.join(', ')}
        </p>
      ))}
      {passages.length === 0 && <Nothing near={near} searched={searched} />}
      <ol>
        {passages.map((passage) => (
          <Hit key={passage.chunk} passage={passage} as={as} words={words} />
        ))}
      </ol>
    </div>
  );
}

function Nothing({
  near,
  searched,
}: {
  readonly near: readonly string[];
  readonly searched: readonly string[];
}): ReactNode {
  return (
    <div className="empty">
      <h2>Nothing was found</h2>
      <p>
        {searched.length === 0
          ? 'There is nothing to search yet: add a source first.'
          : `Nothing in ${searched.join(', ')} has these words. Fewer or plainer words find more.`}
        {near.length > 0 && ' These titles come near:'}
      </p>
      <ul>
        {near.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </div>
  );
}
