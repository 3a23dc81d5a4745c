// A state as a badge. Shape and label convey it; colour only supports them.

import type { ReactNode } from 'react';

type Tone = 'good' | 'bad' | 'warn' | 'live' | 'none';

const TONES: Readonly<Record<string, Tone>> = {
  queued: 'none',
  running: 'live',
  paused: 'warn',
  stopping: 'warn',
  completed: 'good',
  partial: 'warn',
  stopped: 'none',
  failed: 'bad',
  open: 'bad',
  'half-open': 'warn',
  closed: 'good',
  error: 'bad',
  warning: 'warn',
  info: 'none',
};

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'none';
}

export function StateBadge({ state, label }: { readonly state: string; readonly label?: string }): ReactNode {
  return (
    <span className="badge" data-tone={toneOf(state)}>
      {label ?? state}
    </span>
  );
}
