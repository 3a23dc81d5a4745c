// What the HTTP door needs from the program around it.

import type { RunView } from '../../actions/support/run-view.ts';
import type { EventView } from '../../actions/list-events.ts';
import type { KnownToken, Principal } from '../../platform/access-token.ts';
import type { Log } from '../../platform/log.ts';
import type { CallAction } from '../call-action.ts';

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly requestsPerMinute: number;
  readonly maxRequestsInFlight: number;
}

/** What the stream of events is made of. */
export interface EventFeed {
  after(seq: number, limit: number): Promise<readonly EventView[]>;
  lastSeq(): Promise<number>;
  liveRuns(): Promise<readonly RunView[]>;
  run(id: number): Promise<RunView | null>;
}

export interface HttpDeps {
  readonly settings: HttpSettings;
  readonly version: string;
  readonly call: CallAction;
  readonly feed: EventFeed;
  readonly tokens: () => Promise<readonly KnownToken[]>;
  /** Null when all is well, else what is not. */
  readonly readiness: () => Promise<string | null>;
  /** Numbers for `/metrics`, by name. */
  readonly gauges: () => Promise<Readonly<Record<string, number>>>;
  /** Answers of the MCP endpoint. The body was read already, within limits. */
  readonly mcp: (request: Request, asked: { principal: Principal; body?: unknown }) => Promise<Response>;
  readonly log: Log;
  readonly now: () => number;
}
