// The progress of a run for a terminal: a bar, the rate, the time left, and the hosts that slow it down.

import type { HostView } from '../../../actions/support/run-hosts.ts';
import type { RunView } from '../../../actions/support/run-view.ts';
import { formatDuration, pluralize } from '../../../core/text/plural.ts';

export interface Rate {
  /** URLs settled per second; null until it can be estimated. */
  readonly perSecond: number | null;
  /** Null until it can be estimated. New links may increase it. */
  readonly secondsLeft: number | null;
}

interface Counts {
  readonly found: number;
  readonly queued: number;
}

const WINDOW_MS = 15_000;
const MIN_WINDOW_MS = 1000;

/** Estimates the rate from what was settled in the last seconds. */
export function createRateEstimator(): (atMs: number, counts: Counts) => Rate {
  const samples: { readonly atMs: number; readonly done: number }[] = [];
  return (atMs, { found, queued }) => {
    const done = found - queued;
    samples.push({ atMs, done });
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) > WINDOW_MS) samples.shift();
    const [first = { atMs, done }] = samples;
    const elapsed = atMs - first.atMs;
    if (elapsed < MIN_WINDOW_MS || done === first.done) return { perSecond: null, secondsLeft: null };
    const perSecond = ((done - first.done) * 1000) / elapsed;
    return { perSecond: Math.round(perSecond * 10) / 10, secondsLeft: Math.ceil(queued / perSecond) };
  };
}

const BAR_WIDTH = 24;
const SHOWN_HOSTS = 4;

/** Several lines; the first is the run itself. */
export function renderProgress(view: RunView, hosts: readonly HostView[], rate: Rate): string[] {
  const { found, queued } = view.counts;
  const [counts = '', ...details] = progressParts(view, rate);
  const parts = [`${view.source} ${view.state}`, `${renderBar(found - queued, found)} ${counts}`, ...details];
  const shown = [...hosts].sort((a, b) => b.pausedForMs - a.pausedForMs || b.delayMs - a.delayMs).slice(0, SHOWN_HOSTS);
  const more = hosts.length - shown.length;
  const lines = shown.map((host) => `  ${host.host}: ${describeRate(host)}`);
  return [parts.join('  '), ...lines, ...(more > 0 ? [`  and ${more} more hosts`] : [])];
}

/** Progress in one line, for output that is not overwritten. */
export function progressLine(view: RunView, rate: Rate): string {
  return `${view.source} ${view.state}: ${progressParts(view, rate).join(', ')}`;
}

function progressParts({ counts: { found, queued, failed } }: RunView, { perSecond, secondsLeft }: Rate): string[] {
  const parts = [found === 0 ? 'no URLs yet' : `${found - queued} of ${pluralize(found, 'URL')}`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (perSecond !== null && queued > 0) parts.push(`${perSecond}/s`);
  if (secondsLeft !== null && queued > 0) parts.push(`about ${formatDuration(secondsLeft * 1000)} left`);
  return parts;
}

function renderBar(done: number, found: number): string {
  const full = found === 0 ? 0 : Math.floor((done * BAR_WIDTH) / found);
  return '\u2588'.repeat(full) + '\u2591'.repeat(BAR_WIDTH - full);
}

export function describeRate({ breaker, pausedForMs, failures, delayMs, crawlDelayMs }: HostView): string {
  if (breaker === 'open') return `suspended for ${formatDuration(pausedForMs)} after ${failures} consecutive failures`;
  if (pausedForMs >= 1000) return `paused at its request, ${formatDuration(pausedForMs)} left`;
  const ms = Math.max(delayMs, crawlDelayMs ?? 0);
  if (ms === 0) return 'no delay between requests';
  const reason = crawlDelayMs !== null && crawlDelayMs >= delayMs ? ' (Crawl-delay)' : '';
  return `one request every ${ms % 1000 === 0 ? ms / 1000 : (ms / 1000).toFixed(1)} s${reason}`;
}
