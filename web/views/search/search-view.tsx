// Search: as a person reads it, as an agent gets it, or two ways side by side. The words are in the address.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { library } from '../../api/queries.ts';
import { ViewHead } from '../../components/view-header.tsx';
import type { SearchPlace } from '../search-place.ts';
import { SearchPane } from './search-pane.tsx';

const WAYS = [
  { value: undefined, says: 'for a person' },
  { value: 'agent', says: 'for an agent' },
  { value: 'compare', says: 'compare' },
] as const;

const PAUSE_MS = 250;

export function SearchView(): ReactNode {
  const place = useSearch({ from: '/search' });
  const navigate = useNavigate();
  const go = (part: Partial<Record<keyof SearchPlace, string | number | undefined>>): void => {
    const next = Object.fromEntries(
      Object.entries({ ...place, ...part }).filter(([, value]) => value !== undefined && value !== ''),
    );
    void navigate({ to: '/search', search: next as SearchPlace, replace: true });
  };
  return (
    <div className="view">
      <ViewHead title="Search" />
      <div className="search-form" role="search">
        <Words given={place.q ?? ''} onChange={(q) => go({ q })} />
        <div className="filters">
          <SourceFilter source={place.source} onChange={(source) => go({ source })} />
          <fieldset className="switch" aria-label="Shown">
            {WAYS.map(({ value, says }) => (
              <label key={says}>
                <input
                  className="visually-hidden"
                  type="radio"
                  name="way"
                  checked={place.as === value}
                  onChange={() => go({ as: value })}
                />
                {says}
              </label>
            ))}
          </fieldset>
        </div>
      </div>
      {place.q === undefined ? <Hints /> : <Panes place={place} />}
    </div>
  );
}

function Panes({ place }: { readonly place: SearchPlace }): ReactNode {
  const asked = { query: place.q ?? '', source: place.source };
  if (place.as === 'compare')
    return (
      <div className="two">
        <SearchPane key="left" {...asked} as="agent" budget={800} label="A" />
        <SearchPane key="right" {...asked} as="agent" budget={3000} label="B" />
      </div>
    );
  return <SearchPane {...asked} as={place.as ?? 'person'} budget={place.budget ?? 2000} />;
}

function Hints(): ReactNode {
  return (
    <div className="empty">
      <h2>Ask as you would ask a colleague</h2>
      <p>
        Words or a whole question. Names are found whole and in parts: <code className="mono">readFileSync</code>,{' '}
        <code className="mono">--max-old-space-size</code>, <code className="mono">std::vec::Vec</code>. Nothing you
        type is syntax, so nothing can be wrong.
      </p>
      <p>
        <em>For an agent</em> shows the very answer that an assistant gets over MCP, with its tokens and the budget that
        it kept.
      </p>
    </div>
  );
}

function Words({ given, onChange }: { readonly given: string; readonly onChange: (words: string) => void }): ReactNode {
  const [words, setWords] = useState(given);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => setWords(given), [given]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = (text: string): void => {
    setWords(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(text.trim() === '' ? '' : text), PAUSE_MS);
  };
  return (
    <input
      ref={field}
      className="input tall"
      type="search"
      aria-label="Words or a question"
      placeholder="Words or a question"
      value={words}
      onChange={(event) => change(event.target.value)}
    />
  );
}

interface SourceFilterProps {
  readonly source: string | undefined;
  readonly onChange: (source: string) => void;
}

function SourceFilter({ source, onChange }: SourceFilterProps): ReactNode {
  const { data } = useQuery(library);
  return (
    <label className="row">
      <span className="label">In</span>
      <select className="input" value={source ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">every source</option>
        {(data?.sources ?? []).map((one) => (
          <option key={one.source}>{one.source}</option>
        ))}
      </select>
    </label>
  );
}
