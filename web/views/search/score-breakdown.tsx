// How a passage and its page were scored, as bars.

import type { ReactNode } from 'react';
import { featureLabels, signalLabels } from '../../../src/core/answer/score-labels.table.ts';
import type { SearchAnswer } from '../../api/responses.ts';

type Explanation = SearchAnswer['passages'][number]['explanation'];

/** Nothing for an answer without explanations. */
export function PassageScores({ explanation }: { readonly explanation: Explanation }): ReactNode {
  if (explanation === undefined) return null;
  return (
    <>
      <ScoreBreakdown of="passage" scores={explanation.passage} labels={featureLabels} />
      <ScoreBreakdown of="page" scores={explanation.page} labels={signalLabels} />
    </>
  );
}

interface ScoreBreakdownProps {
  readonly of: 'page' | 'passage';
  readonly scores: Readonly<Record<string, number>>;
  readonly labels: Readonly<Record<string, string>>;
}

function ScoreBreakdown({ of, scores, labels }: ScoreBreakdownProps): ReactNode {
  const parts = Object.entries(scores).filter(([name]) => name !== 'score');
  const largest = Math.max(0.001, ...parts.map(([, value]) => Math.abs(value)));
  return (
    <div className="stack">
      <p className="small">
        Score of the {of} <strong className="num">{scores['score']?.toFixed(3)}</strong>
      </p>
      <div className="score-breakdown">
        {parts.map(([name, value]) => (
          <ScoreRow key={name} name={labels[name] ?? name} value={value} largest={largest} />
        ))}
      </div>
    </div>
  );
}

function ScoreRow({
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
      <span>{name}</span>
      <i className={value < 0 ? 'negative' : ''} style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
      <span className="num">{value.toFixed(3)}</span>
    </>
  );
}
