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
        {shown.map((outcome) => (
          <i key={outcome} className={`fill-${outcome}`} style={{ flexGrow: counts[outcome], flexBasis: 0 }} />
        ))}
      </div>
      {legend && (
        <ul className="legend">
          {shown.map((outcome) => (
            <li key={outcome} className="num">
              {outcome !== 'queued' && outcome !== 'dropped' && <i className={`fill-${outcome}`} />}
              {formatCompact(counts[outcome])} {outcome}
            </li>
          ))}
          {counts.excluded > 0 && <li className="num">{formatCompact(counts.excluded)} excluded by a rule</li>}
        </ul>
      )}
    </div>
  );
}
