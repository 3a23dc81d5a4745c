// The next two weeks: which sources are crawled on which day.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { libraryQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';
import { calendarOf, type CalendarDay } from './next-runs.ts';

const DAYS = 14;
/** More sources on one day are counted. */
const MAX_LISTED = 8;

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

export function Calendar(): ReactNode {
  const { data, error } = useQuery(libraryQuery);
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return null;
  const days = calendarOf(data.sources, DAYS, Date.now());
  if (data.sources.every(({ nextRunAt }) => nextRunAt === null))
    return <p className="muted">No source is scheduled. Edit a source to update it at an interval.</p>;
  const isEmpty = days.every(({ runs }) => runs.length === 0);
  return (
    <>
      {isEmpty && <p className="muted">No source is due in the next two weeks.</p>}
      <ol className="calendar">
        {days.map((day) => (
          <Day key={day.at} day={day} />
        ))}
      </ol>
    </>
  );
}

function Day({ day: { at, runs } }: { readonly day: CalendarDay }): ReactNode {
  return (
    <li data-empty={runs.length === 0}>
      <h3 className="label">{weekday.format(at)}</h3>
      <ul className="small">
        {runs.slice(0, MAX_LISTED).map(({ source, firstAt, times }) => (
          <li key={source}>
            <span className="num muted">{clock.format(firstAt)}</span>{' '}
            <Link to="/sources/$source" params={{ source }}>
              {source}
            </Link>
            {times > 1 && <span className="muted"> {formatCount(times)} times</span>}
          </li>
        ))}
        {runs.length > MAX_LISTED && <li className="muted">and {formatCount(runs.length - MAX_LISTED)} more</li>}
      </ul>
    </li>
  );
}
