// One process at a time writes to a collection. A marker point names it, and grows a count while it works: of two processes, the server
// lets only the first change the marker. A process that finds a marker which does not change takes it over,
// and the one that had it finds that out before its next write. No clock of one machine is compared with that of another.

import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pinakesError } from '../core/model/errors.ts';
import { monotonicMs } from '../platform/clock.ts';

/** Requests to one collection. */
export type Send = <T>(method: 'GET' | 'PUT' | 'POST' | 'PATCH', below: string, body?: unknown) => Promise<T>;

export interface QdrantLease {
  /** Waits for a process that may be gone, and raises `sink.busy` if it is not. Does nothing if it is held. Needs the collection. */
  hold(): Promise<void>;
  /** Before each write. Raises `sink.busy` if another process has taken over. */
  renew(): Promise<void>;
  /** Deletes the marker if it is still ours. Never fails. */
  release(): Promise<void>;
}

/** The only point of a collection that is not a chunk. */
export const MARKER_ID = '00000000-0000-4000-8000-70696e616b65';

/** A marker that has not changed for so long is of a process that is gone. */
const LEASE_MS = 15_000;
const BEAT_MS = 3000;
const POLL_MS = 500;

interface Marker {
  readonly pinakes_writer: string;
  readonly pinakes_process: string;
  readonly pinakes_beat: number;
}

export function createQdrantLease(send: Send, target: string): QdrantLease {
  const writer = randomUUID();
  let beat = 0;
  let beating: NodeJS.Timeout | null = null;

  async function read(): Promise<Marker | null> {
    const [point] = await send<ReadonlyArray<{ readonly payload: Marker }>>('POST', '/points', {
      ids: [MARKER_ID],
      with_payload: true,
    });
    return point?.payload ?? null;
  }

  /** Changes the marker if it is as it was read; a marker that is missing is created. Returns whether it is ours. */
  async function write(before: Marker | null): Promise<boolean> {
    beat += 1;
    const marker: Marker = { pinakes_writer: writer, pinakes_process: THIS_PROCESS, pinakes_beat: beat };
    const { pinakes_writer = writer, pinakes_beat = 0 } = before ?? {};
    const must = [
      { key: 'pinakes_writer', match: { value: pinakes_writer } },
      ...(pinakes_writer === writer ? [] : [{ key: 'pinakes_beat', match: { value: pinakes_beat } }]),
    ];
    await send('PUT', '/points?wait=true&ordering=strong', {
      points: [{ id: MARKER_ID, vector: {}, payload: marker }],
      update_filter: { must },
    });
    return (await read())?.pinakes_writer === writer;
  }

  async function renew(): Promise<void> {
    const held = await read();
    if (held?.pinakes_writer !== writer || !(await write(held))) throw pinakesError('sink.busy', { target });
  }

  return {
    async hold() {
      if (beating !== null) return;
      const found = await read();
      const isFree = found === null || isGone(found) || (await isUnchanged(found, read));
      if (!isFree || !(await write(found))) throw pinakesError('sink.busy', { target });
      // What it finds out is found out again before the next write.
      beating = setInterval(() => void renew().catch(() => undefined), BEAT_MS).unref();
    },
    renew,
    async release() {
      if (beating === null) return;
      clearInterval(beating);
      beating = null;
      const filter = { must: [{ key: 'pinakes_writer', match: { value: writer } }] };
      // If the server cannot be reached, the next process waits until the marker is old.
      await send('POST', '/points/delete?wait=true', { filter }).catch(() => undefined);
    },
  };
}

async function isUnchanged(found: Marker, read: () => Promise<Marker | null>): Promise<boolean> {
  for (const startedAt = monotonicMs(); monotonicMs() - startedAt < LEASE_MS;) {
    await sleep(POLL_MS);
    const marker = await read();
    if (marker?.pinakes_writer !== found.pinakes_writer || marker.pinakes_beat !== found.pinakes_beat) return false;
  }
  return true;
}

/** Kernel, process namespace and process; without the former two it says nothing. */
const THIS_PROCESS = describeProcess();

function describeProcess(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')} ${process.pid}`;
  } catch {
    return '';
  }
}

/** Whether it was a process next to this one that has ended. */
function isGone({ pinakes_process: other }: Marker): boolean {
  const [, kernel = '', pid = ''] = /^(.* )(\d+)$/.exec(other) ?? [];
  if (kernel === '' || !THIS_PROCESS.startsWith(kernel)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
