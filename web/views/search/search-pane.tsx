// The results of one query, with the filters they were produced with.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { SearchAnswer } from '../../api/responses.ts';
import { searchQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, formatDuration, formatQuantity } from '../../components/format.ts';
import { groupByPage } from '../../../src/core/answer/cited-markdown.ts';
import { excerptTerms } from '../../../src/core/answer/match-excerpt.ts';
import { AgentAnswer } from './agent-answer.tsx';
import { PageHit } from './page-hit.tsx';

export interface SearchPaneProps {
  readonly query: string;
  readonly source: string | undefined;
  readonly as: 'person' | 'agent';
  readonly budget: number;
  readonly label?: string;
}

const PASSAGE_KINDS = ['prose', 'code', 'table', 'data', 'image'] as const;
const BUDGETS = [400, 800, 2000, 3000, 8000] as const;

export function SearchPane({ query, source, as, budget: initialBudget, label }: SearchPaneProps): ReactNode {
  const [passageKind, setPassageKind] = useState('');
  const [budget, setBudget] = useState(initialBudget);
  const [explain, setExplain] = useState(false);
  const request = {
    query,
    source,
    passageKind: passageKind === '' ? undefined : passageKind,
    budget,
    explain,
    limit: as === 'person' ? 20 : 8,
  };
  return (
    <section className="section" aria-label={label === undefined ? 'Results' : `Results ${label}`}>
      <div className="search-form">
        <div className="filters small">
          {label !== undefined && <strong className="tag">{label}</strong>}
          <SelectField name="Kind" value={passageKind} options={['', ...PASSAGE_KINDS]} onChange={setPassageKind} />
          {as === 'agent' && (
            <SelectField
              name="Token budget"
              value={String(budget)}
              options={BUDGETS.map(String)}
              onChange={(value) => setBudget(Number(value))}
            />
          )}
          <label className="row" style={{ gap: '0.35rem' }}>
            <input type="checkbox" checked={explain} onChange={(event) => setExplain(event.target.checked)} />
            explain scores
          </label>
        </div>
      </div>
      <ResultPage key={JSON.stringify({ ...request, query: '' })} request={request} as={as} offset={0} />
    </section>
  );
}

interface SearchRequest {
  readonly query: string;
  readonly source: string | undefined;
  readonly passageKind: string | undefined;
  readonly budget: number;
  readonly explain: boolean;
  readonly limit: number;
}

interface ResultPageProps {
  readonly request: SearchRequest;
  readonly as: 'person' | 'agent';
  readonly offset: number;
}

/** One answer, and on request the next one below it. */
function ResultPage({ request, as, offset }: ResultPageProps): ReactNode {
  const [expanded, setExpanded] = useState('');
  const query = { ...request, ...(offset > 0 && { offset }) };
  const { data, error, isFetching } = useQuery({ ...searchQuery(query), placeholderData: keepPreviousData });
  return (
    <div aria-busy={isFetching}>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && <SearchResults answer={data} as={as} request={request} />}
      {data !== undefined && data.nextOffset !== null && expanded !== request.query && (
        <button className="button" type="button" onClick={() => setExpanded(request.query)}>
          More results
        </button>
      )}
      {data !== undefined && data.nextOffset !== null && expanded === request.query && (
        <ResultPage request={request} as={as} offset={data.nextOffset} />
      )}
    </div>
  );
}

interface SelectFieldProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function SelectField({ name, value, options, onChange }: SelectFieldProps): ReactNode {
  return (
    <label className="row" style={{ gap: '0.4rem' }}>
      <span className="label">{name}</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option === '' ? 'any' : option}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SearchResultsProps {
  readonly answer: SearchAnswer & { readonly tookMs: number };
  readonly as: 'person' | 'agent';
  readonly request: SearchRequest;
}

function SearchResults({ answer, as, request }: SearchResultsProps): ReactNode {
  const { passages, corrections, suggestions, searched, crawling } = answer;
  return (
    <div className="stack" aria-live="polite">
      {passages.length > 0 && <ResultSummary answer={answer} as={as} />}
      {corrections.map(({ word, correctedTo }) => (
        <p key={word} className="small">
          <span className="tag" data-tone="warn">
            {word}
          </span>{' '}
          corrected to {correctedTo.join(', ')}
        </p>
      ))}
      {passages.length > 0 && answer.isWeak && (
        <p className="small">
          <span className="tag" data-tone="warn">
            weak evidence
          </span>{' '}
          The library may not answer this. These are the nearest sections.
        </p>
      )}
      {passages.length === 0 && <NoResults suggestions={suggestions} searched={searched} crawling={crawling} />}
      {passages.length > 0 && as === 'agent' && <AgentAnswer passages={passages} budget={request.budget} />}
      {passages.length > 0 && as === 'person' && <PageHits answer={answer} query={request.query} />}
    </div>
  );
}

function PageHits({ answer, query }: Pick<SearchResultsProps, 'answer'> & { readonly query: string }): ReactNode {
  const terms = excerptTerms(query, answer.corrections);
  return (
    <ol>
      {groupByPage(answer.passages).map((ofPage) => (
        <PageHit key={`${ofPage[0]?.chunkId} ${ofPage[0]?.lines.first}`} passages={ofPage} terms={terms} />
      ))}
    </ol>
  );
}

function ResultSummary({ answer, as }: Pick<SearchResultsProps, 'answer' | 'as'>): ReactNode {
  const { passages, searched, mode, tookMs } = answer;
  const pages = groupByPage(passages).length;
  return (
    <div className="muted small num result-summary">
      <span>
        {formatQuantity(passages.length, as === 'agent' ? 'passage' : 'result')} on {formatQuantity(pages, 'page')}
        {as === 'agent' && `, ${mode}`}, {formatDuration(tookMs)}
      </span>
      <SourceNames names={searched} />
    </div>
  );
}

/** The number of sources, and their names on request. */
function SourceNames({ names }: { readonly names: readonly string[] }): ReactNode {
  if (names.length === 1) return <span>from {names[0]}</span>;
  return (
    <details>
      <summary>from {formatQuantity(names.length, 'source')}</summary>
      {names.join(', ')}
    </details>
  );
}

function NoResultsYet({ crawling }: Pick<SearchAnswer, 'crawling'>): ReactNode {
  return (
    <div className="empty">
      <h2>No results yet</h2>
      {crawling.map(({ source, run, pages, found }) => (
        <p key={run}>
          {source} is being crawled: {formatCount(pages)} of {formatQuantity(found, 'page')} so far.{' '}
          <Link to="/runs/$run" params={{ run: String(run) }}>
            Open run {run}
          </Link>
        </p>
      ))}
    </div>
  );
}

function NoResults({
  suggestions,
  searched,
  crawling,
}: Pick<SearchAnswer, 'suggestions' | 'searched' | 'crawling'>): ReactNode {
  if (crawling.length > 0) return <NoResultsYet crawling={crawling} />;
  const where = searched.length === 1 ? searched[0] : formatQuantity(searched.length, 'source');
  return (
    <div className="empty">
      <h2>No results</h2>
      <p>
        {searched.length === 0
          ? 'There is nothing to search yet. Add a source first.'
          : `No matches in ${where}. Try fewer or simpler words.`}
        {suggestions.length > 0 && ' Similar titles:'}
      </p>
      <ul>
        {suggestions.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </div>
  );
}
