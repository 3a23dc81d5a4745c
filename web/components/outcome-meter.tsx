// How the URLs of a run ended, as a bar of shares and a legend of counts. What is still queued is the empty part.

import type { ReactNode } from 'react';
import type { RunView } from '../api/responses.ts';
import { brief } from './format.ts';

const PARTS = [
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
  const shown = PARTS.filter((part) => counts[part] > 0);
  const done = counts.found - counts.queued;
  return (
    <div className="stack">
      <div
        className="meter"
        role="progressbar"
        aria-label="URLs settled"
        aria-valuemin={0}
        aria-valuemax={Math.max(1, counts.found)}
        aria-valuenow={done}
        aria-valuetext={`${done} of ${counts.found}`}
      >
        {shown.map((part) => (
          <i key={part} className={`fill-${part}`} style={{ flexGrow: counts[part], flexBasis: 0 }} />
        ))}
      </div>
      {legend && (
        <ul className="legend">
          {shown.map((part) => (
            <li key={part} className="num">
              {part !== 'queued' && part !== 'dropped' && <i className={`fill-${part}`} />}
              {brief(counts[part])} {part}
            </li>
          ))}
          {counts.refused > 0 && <li className="num">{brief(counts.refused)} refused by a rule</li>}
        </ul>
      )}
    </div>
  );
}
