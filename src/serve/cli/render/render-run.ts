// Runs for a person at a terminal.

import type { ReasonView } from '../../../actions/crawl-status.ts';
import type { RunView } from '../../../actions/run-view.ts';

const SHOWN_WARNINGS = 20;

export function renderRuns(runs: readonly RunView[]): string {
  if (runs.length === 0) return 'No run yet. Begin with: pinakes add https://docs.example.dev --wait\n';
  return runs.map((run) => renderRun(run)).join('');
}

export function renderRun(view: RunView): string {
  const reason = view.reason === null ? '' : `: ${view.reason}`;
  const numbers = Object.entries(view.counts)
    .filter(([name, n]) => n > 0 && name !== 'bytes')
    .map(([name, n]) => `${n} ${name}`);
  const warnings = (view.warnings ?? []).slice(0, SHOWN_WARNINGS).map((warning) => `  warning: ${warning}\n`);
  const more = (view.warnings ?? []).length - warnings.length;
  if (more > 0) warnings.push(`  and ${more} more warnings\n`);
  return `Run ${view.run} of ${view.source} ${view.state}${reason}\n  ${numbers.join(', ') || 'nothing found'}; ${sizeOf(view.counts.bytes)} received\n${warnings.join('')}`;
}

export function progressLine(view: RunView): string {
  const { found, queued, failed } = view.counts;
  const done = found - queued;
  const trouble = failed > 0 ? `, ${failed} failed` : '';
  return `Run ${view.run} of ${view.source} ${view.state}: ${done} of ${found} URLs done${trouble}`;
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'less than a second';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
