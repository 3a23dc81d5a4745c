// Why a run failed or is not complete, next to its state.

import type { ReactNode } from 'react';
import type { RunView } from '../api/responses.ts';
import { toneOf } from './state-badge.tsx';

export function RunReason({ run }: { readonly run: Pick<RunView, 'state' | 'reason'> | null }): ReactNode {
  if (run === null || run.reason === null || (run.state !== 'failed' && run.state !== 'partial')) return null;
  return (
    <span className="run-reason small" data-tone={toneOf(run.state)} title={run.reason}>
      {run.reason}
    </span>
  );
}
