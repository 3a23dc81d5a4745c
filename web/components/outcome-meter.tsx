// The outcomes of a run as a stacked bar with a legend of counts. Queued URLs are the empty part of the bar.

import type { ReactNode } from 'react';
import type { OutcomeName } from '../../src/core/model/outcome.ts';
import { OUTCOME_LABELS, SHOWN_OUTCOMES } from '../../src/core/outcome/outcome-labels.table.ts';
import type { RunView } from '../api/responses.ts';
import { formatCompact } from './format.ts';

type MeterPart = Exclude<OutcomeName, 'excluded'> | 'queued';

const PARTS = [
  ...SHOWN_OUTCOMES.filter((name) => name !== 'excluded'),
  'queued',
] as const satisfies readonly MeterPart[];

function labelOf(part: MeterPart): string {
  return part === 'queued' ? part : OUTCOME_LABELS[part].label;
}

export function OutcomeMeter({
  counts,
  legend = true,
}: {
  readonly counts: RunView['counts'];
  readonly legend?: boolean;
}): ReactNode {
  const shown = PARTS.filter((outcome) => counts[outcome] > 0);
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
              {formatCompact(counts[outcome])} {labelOf(outcome)}
            </li>
          ))}
          {counts.excluded > 0 && (
            <li className="num">
              {formatCompact(counts.excluded)} {OUTCOME_LABELS.excluded.label} by a rule
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

interface Segment {
  readonly outcome: MeterPart;
  /** Both as a share of the bar. */
  readonly start: number;
  readonly share: number;
}

/** Segments are moved by transforms: a bar that is laid out again with every event shifts the layout. */
function segmentsOf(counts: RunView['counts'], shown: readonly MeterPart[]): Segment[] {
  const total = shown.reduce((sum, outcome) => sum + counts[outcome], 0);
  let before = 0;
  return shown.map((outcome) => {
    const segment = { outcome, start: before / total, share: counts[outcome] / total };
    before += counts[outcome];
    return segment;
  });
}
