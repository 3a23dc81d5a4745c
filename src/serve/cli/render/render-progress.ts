// A run that goes on, for a person at a terminal: a bar, the speed, and the hosts that hold it up.

import type { HostView } from '../../../actions/crawl-status.ts';
import type { RunView } from '../../../actions/support/run-view.ts';
import { durationOf } from './duration-of.ts';
import type { Rate } from './progress-rate.ts';

const BAR = 24;
const SHOWN_HOSTS = 4;

/** Several lines; the first is the run itself. */
export function renderProgress(view: RunView, hosts: readonly HostView[], rate: Rate): string[] {
  const { found, queued, failed } = view.counts;
  const done = found - queued;
  const parts = [`${view.source} ${view.state}`, `${barOf(done, found)} ${done} of ${found} URLs`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (rate.perSecond !== null) parts.push(`${rate.perSecond}/s`);
  if (rate.secondsLeft !== null && queued > 0) parts.push(`about ${durationOf(rate.secondsLeft * 1000)} left`);
  const shown = [...hosts].sort((a, b) => b.pausedForMs - a.pausedForMs || b.delayMs - a.delayMs).slice(0, SHOWN_HOSTS);
  const more = hosts.length - shown.length;
  const lines = shown.map((host) => `  ${host.host}: ${paceOf(host)}`);
  return [parts.join('  '), ...lines, ...(more > 0 ? [`  and ${more} more hosts`] : [])];
}

function barOf(done: number, found: number): string {
  const full = found === 0 ? 0 : Math.floor((done * BAR) / found);
  return '\u2588'.repeat(full) + '\u2591'.repeat(BAR - full);
}

export function paceOf({ breaker, pausedForMs, failures, delayMs, crawlDelayMs }: HostView): string {
  if (breaker === 'open') return `not asked for ${durationOf(pausedForMs)}, after ${failures} failures in a row`;
  if (pausedForMs >= 1000) return `asked to wait, ${durationOf(pausedForMs)} left`;
  const ms = Math.max(delayMs, crawlDelayMs ?? 0);
  if (ms === 0) return 'no pause between requests';
  const asked = crawlDelayMs !== null && crawlDelayMs >= delayMs ? ', as its robots.txt asks' : '';
  return `one request every ${ms % 1000 === 0 ? ms / 1000 : (ms / 1000).toFixed(1)} s${asked}`;
}
