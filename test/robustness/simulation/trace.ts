// The events of a simulation, in order: a hash of all of them, and the last lines to read.

import { createHash, type Hash } from 'node:crypto';
import { currentProcess } from './simulated-process.ts';
import { virtualMs } from './virtual-time.ts';

const MAX_LINES = 80;

let hash: Hash = createHash('sha256');
let lines: string[] = [];

export function resetTrace(): void {
  hash = createHash('sha256');
  lines = [];
}

export function trace(what: string): void {
  const line = `${virtualMs().toFixed(0).padStart(8)} ${(currentProcess()?.name ?? '-').padEnd(10)} ${what}`;
  hash.update(line);
  lines.push(line);
  if (lines.length > 2 * MAX_LINES) lines = lines.slice(-MAX_LINES);
}

/** Equal for two simulations in which the same happened at the same times. */
export function traceHash(): string {
  return hash.copy().digest('hex').slice(0, 16);
}

export function lastLines(): readonly string[] {
  return lines.slice(-MAX_LINES);
}
