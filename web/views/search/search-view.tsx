// Search: results for people, results as an agent receives them, or two budgets side by side. The query is in the URL.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { libraryQuery } from '../../api/queries.ts';
import { ViewHeader } from '../../components/view-header.tsx';
import { SearchPane } from './search-pane.tsx';

/** The search parameters of the route. */
export interface SearchParams {
  readonly q?: string;
  readonly source?: string;
  readonly passageKind?: string;
  readonly as?: 'agent' | 'compare';
  readonly budget?: number;
}

const MODES = [
  { value: undefined, label: 'for people' },
  { value: 'agent', label: 'for agents' },
  { value: 'compare', label: 'compare' },
] as const;

const DEBOUNCE_MS = 250;

export function SearchView(): ReactNode {
  const params = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const go = (changes: Partial<Record<keyof SearchParams, string | number | undefined>>): void => {
    const next = Object.fromEntries(
      Object.entries({ ...params, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
    );
    void navigate({ to: '/search', search: next as SearchParams, replace: true });
  };
  return (
    <div className="view">
      <ViewHeader title="Search" />
      <div className="search-form" role="search">
        <QueryInput initial={params.q ?? ''} onChange={(q) => go({ q })} />
        <div className="filters">
          <SourceFilter source={params.source} onChange={(source) => go({ source })} />
          <fieldset className="switch" aria-label="Format">
            {MODES.map(({ value, label }) => (
              <label key={label}>
                <input
                  className="visually-hidden"
                  type="radio"
                  name="mode"
                  checked={params.as === value}
                  onChange={() => go({ as: value })}
                />
                {label}
              </label>
            ))}
          </fieldset>
        </div>
      </div>
      {params.q === undefined ? <Hints /> : <Panes params={params} />}
    </div>
  );
}

function Panes({ params }: { readonly params: SearchParams }): ReactNode {
  const request = { query: params.q ?? '', source: params.source };
  if (params.as === 'compare')
    return (
      <div className="columns">
        <SearchPane key="left" {...request} as="agent" budget={800} label="A" />
        <SearchPane key="right" {...request} as="agent" budget={3000} label="B" />
      </div>
    );
  return <SearchPane {...request} as={params.as ?? 'person'} budget={params.budget ?? 2000} />;
}

function Hints(): ReactNode {
  return (
    <div className="empty">
      <h2>Search the documentation</h2>
      <p>
        Type keywords or a full question. Identifiers are matched as a whole and in parts:{' '}
        <code className="mono">readFileSync</code>, <code className="mono">--max-old-space-size</code>,{' '}
        <code className="mono">std::vec::Vec</code>. There is no query syntax to learn.
      </p>
      <p>
        <em>For agents</em> shows the answer as an assistant receives it over MCP, with its token count.
      </p>
    </div>
  );
}

function QueryInput({
  initial,
  onChange,
}: {
  readonly initial: string;
  readonly onChange: (query: string) => void;
}): ReactNode {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => setText(initial), [initial]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim() === '' ? '' : next), DEBOUNCE_MS);
  };
  return (
    <input
      ref={field}
      className="input large"
      type="search"
      aria-label="Keywords or a question"
      placeholder="Keywords or a question"
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}

interface SourceFilterProps {
  readonly source: string | undefined;
  readonly onChange: (source: string) => void;
}

function SourceFilter({ source, onChange }: SourceFilterProps): ReactNode {
  const { data } = useQuery(libraryQuery);
  return (
    <label className="row">
      <span className="label">Source</span>
      <select className="input" value={source ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">all sources</option>
        {(data?.sources ?? []).map((one) => (
          <option key={one.source}>{one.source}</option>
        ))}
      </select>
    </label>
  );
}
