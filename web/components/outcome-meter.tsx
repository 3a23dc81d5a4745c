// The outcomes of a run as a stacked bar with a legend of counts. Queued URLs are the empty part of the bar.

import type { ReactNode } from 'react';
import type { RunView } from '../api/responses.ts';
import { formatCompact } from './format.ts';

const OUTCOMES = [
  'new',
  'changed',
  'unchanged',
  'moved',
  'skipped',
  'gone',
  'missing',
  'failed',
  'queued',
  'dropped',
] as const;

export function OutcomeMeter({
  counts,
  legend = true,
}: {
  readonly counts: RunView['counts'];
  readonly legend?: boolean;
}): ReactNode {
  const shown = OUTCOMES.filter((outcome) => counts[outcome] > 0);
  const settled = counts.found - counts.queued;
  return (
    <div className="stack">
      <div
        className="meter"
        role="progressbar"
        aria-label="URLs settled"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, counts.found)}
        aria-valuenow={settled}
        aria-valuetext={`${settled} of ${counts.found}`}
      >
        {segmentsOf(counts, shown).map(({ outcome, start, share }) => (
          <i
            key={outcome}
            className={`fill-${outcome}`}
            style={{ transform: `translateX(${start * 100}%) scaleX(${share})` }}
          />
        ))}
      </div>
      {legend && (
        <ul className="legend">
          {shown.map((outcome) => (
            <li key={outcome} className="num">
              {outcome !== 'queued' && outcome !== 'dropped' && <i className={`fill-${outcome}`} />}
              {formatCompact(counts[outcome])} {outcome === 'gone' ? 'gone (404)' : outcome}
            </li>
          ))}
          {counts.excluded > 0 && <li className="num">{formatCompact(counts.excluded)} excluded by a rule</li>}
        </ul>
      )}
    </div>
  );
}

type OutcomeName = (typeof OUTCOMES)[number];

interface Segment {
  readonly outcome: OutcomeName;
  /** Both as a share of the bar. */
  readonly start: number;
  readonly share: number;
}

/** Segments are moved by transforms: a bar that is laid out again with every event shifts the layout. */
function segmentsOf(counts: RunView['counts'], shown: readonly OutcomeName[]): Segment[] {
  const total = shown.reduce((sum, outcome) => sum + counts[outcome], 0);
  let before = 0;
  return shown.map((outcome) => {
    const segment = { outcome, start: before / total, share: counts[outcome] / total };
    before += counts[outcome];
    return segment;
  });
}
