// Rate limits, pauses and robots.txt of hosts, shared by all runs and workers.

import type { HostRate } from '../../core/rate/adapt-delay.ts';
import type { RunId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';

export type HostState = HostRate;

/** The last robots.txt of an authority. */
export interface RobotsFile {
  /** How the attempt to fetch it ended, as defined by core/discover. */
  readonly access: JsonObject;
  /** Null if no file was fetched. */
  readonly body: string | null;
  readonly ageMs: number;
  /** May be used without fetching it again. */
  readonly isFresh: boolean;
}

/**
 * A reserved slot for one request to a host. Slots are spaced 10 % further apart than the host's delay: a worker that is later
 * than that gives up its slot, so two requests are never closer together than the delay.
 */
export interface RequestSlot {
  readonly startsInMs: number;
  /** Delay between two requests to the host when the slot was reserved. */
  readonly delayMs: number;
  /** The time of `monotonicMs` before which it was not reserved: waiting for a connection or a lock makes no slot old. */
  readonly reservedAfterMs: number;
}

export interface Hosts {
  /** The name under which files of this machine are queued. Only processes of the same machine claim from it. */
  readonly localHost: string;
  get(host: string): Promise<HostState>;
  list(run: RunId): Promise<readonly HostState[]>;
  /** How many hosts of live runs have a circuit breaker that is not closed. */
  countSuspended(): Promise<number>;
  /** Reads, decides and writes in one transaction. Nothing is claimed from the host while `pausedForMs` lasts. */
  adjust(host: string, decide: (state: HostState) => HostState): Promise<HostState>;
  /** Reserves the host's next slot for a request outside the frontier. */
  reserveSlot(host: string): Promise<RequestSlot>;
  /** `authority` is scheme, host and port, each of which has its own robots.txt. */
  robots(authority: string): Promise<RobotsFile | null>;
  saveRobots(authority: string, access: JsonObject, body: string | null, freshForMs: number): Promise<void>;
}
