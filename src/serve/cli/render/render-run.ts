// Runs for a person at a terminal.

import type { RunView } from '../../../actions/run-view.ts';

export function renderRuns(runs: readonly RunView[]): string {
  if (runs.length === 0) return 'No run yet. Begin with: pinakes add https://docs.example.dev --wait\n';
  return runs.map((run) => renderRun(run)).join('');
}

export function renderRun(view: RunView): string {
  const reason = view.reason === null ? '' : `: ${view.reason}`;
  const numbers = Object.entries(view.counts)
    .filter(([name, n]) => n > 0 && name !== 'bytes')
    .map(([name, n]) => `${n} ${name}`);
  return `Run ${view.run} of ${view.source} ${view.state}${reason}\n  ${numbers.join(', ') || 'nothing found'}; ${sizeOf(view.counts.bytes)} received\n`;
}

export function progressLine(view: RunView): string {
  const { found, queued, failed } = view.counts;
  const done = found - queued;
  const trouble = failed > 0 ? `, ${failed} failed` : '';
  return `Run ${view.run} of ${view.source} ${view.state}: ${done} of ${found} URLs done${trouble}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
