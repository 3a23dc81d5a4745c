// What the store promises about hosts: their pace, their pauses, and what their robots.txt said. Shared by all runs and workers.

import type { HostPace } from '../../core/rate/adapt-delay.ts';
import type { RunId } from '../../core/model/run.ts';
import type { JsonObject } from './json.ts';

export type HostState = HostPace;

/** What robots.txt of an authority said, as it was last read. */
export interface RobotsFile {
  /** How the attempt to read it ended, in the words of core/discover. */
  readonly access: JsonObject;
  /** Null where no file was read. */
  readonly body: string | null;
  readonly ageMs: number;
  /** It may be used without asking again. */
  readonly fresh: boolean;
}

/**
 * A place in the row of requests to a host. Turns stand a tenth of the pace further apart than the host asks for: whoever
 * is later than that gives the turn up, so two requests are never nearer than the pace.
 */
export interface Turn {
  readonly startsInMs: number;
  /** Between two requests to the host, as it stood when the turn was taken. */
  readonly paceMs: number;
}

export interface Hosts {
  get(host: string): Promise<HostState>;
  list(run: RunId): Promise<readonly HostState[]>;
  /** Reads, decides and writes in one transaction. The host is not claimed from while `pausedForMs` lasts. */
  adjust(host: string, decide: (state: HostState) => HostState): Promise<HostState>;
  /** Takes the host's next turn for a request outside the frontier. */
  reserve(host: string): Promise<Turn>;
  /** `authority` is scheme, host and port: robots.txt is kept for each. */
  robots(authority: string): Promise<RobotsFile | null>;
  keepRobots(authority: string, access: JsonObject, body: string | null, freshForMs: number): Promise<void>;
}
