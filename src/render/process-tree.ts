// The processes of a browser: how much memory they use, and their end. Only Linux tells; elsewhere the browser's own limits
// have to do.

import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

export interface BrowserProcess {
  readonly pid: number;
  readonly isRenderer: boolean;
  /** Private memory: without the files that all processes of the browser share. */
  readonly bytes: number;
}

/** The process that was started with this argument and has no parent with it; null if there is none. */
export function findProcess(argument: string): number | null {
  const found = new Map<number, number>();
  for (const pid of processIds()) if (commandLine(pid).includes(argument)) found.set(pid, parentOf(pid));
  for (const [pid, parent] of found) if (!found.has(parent)) return pid;
  return null;
}

/** The process and its descendants. */
export function readProcessTree(root: number): readonly BrowserProcess[] {
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const parent = parentOf(pid);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree: number[] = [root];
  for (let at = 0; at < tree.length; at += 1) tree.push(...(children.get(tree[at] as number) ?? []));
  return tree.map((pid) => ({
    pid,
    isRenderer: commandLine(pid).includes('--type=renderer'),
    bytes: ownBytes(pid),
  }));
}

/** Kills processes at once; those that have ended already do not matter. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** The crawl thread, which starts the browser, has 5: pages that are crawled without a browser come first. */
const NICENESS = 10;

/** Processes that are started by these later inherit it. Some threads of a browser of root raise their priority again. */
export function lowerPriorities(pids: readonly number[]): void {
  for (const thread of pids.flatMap(threadIds)) {
    try {
      setPriority(thread, Math.max(NICENESS, getPriority(thread)));
    } catch {
      // It has ended, or a sandbox forbids it.
    }
  }
}

/** On Linux a priority is that of a thread. */
function threadIds(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

function processIds(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function commandLine(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

/** The field after the name, which may contain spaces and parentheses. */
function parentOf(pid: number): number {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function ownBytes(pid: number): number {
  const status = readProc(pid, 'status');
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, text]) => Number(text));
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1024;
}
