// The interface of the application for the HTTP server.

import type { Socket } from 'node:net';
import type { RunView } from '../../actions/support/run-view.ts';
import type { EventView } from '../../actions/list-journal.ts';
import type { DocsFiles } from '../../core/export/llms/docs-files.ts';
import type { AuditSink } from '../../core/model/audit-entry.ts';
import type { SourceRights } from '../../core/model/source-rights.ts';
import type { Principal, TokenLookup } from '../../platform/access-token.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics, MetricSample } from '../../platform/metrics.ts';
import type { SigningKey } from '../../platform/signing-keys.ts';
import type { SignIn } from './issuer/sign-in.ts';
import type { VerifyIssued } from './issuer/verify-issued.ts';
import type { CallAction } from '../call-action.ts';

export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly requestsPerMinute: number;
  readonly maxRequestsInFlight: number;
  readonly connectionsPerAddress: number;
}

/** The source of the event stream. */
export interface EventFeed {
  eventsAfter(seq: number, limit: number): Promise<readonly EventView[]>;
  lastSeq(): Promise<number>;
  liveRuns(): Promise<readonly RunView[]>;
  /** Runs that ended recently, oldest first. */
  endedRuns(): Promise<readonly RunView[]>;
  run(id: number): Promise<RunView | null>;
  /** The names of the sources of runs; without runs that are gone. */
  sourcesOf(runs: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** The body of `/health`. */
export interface CrawlHealth {
  readonly running: number;
  readonly paused: number;
  readonly queueSize: number;
  readonly lastProgressAt: string | null;
}

export interface Monitoring {
  /** What the thread that serves requests counts. */
  readonly metrics: Metrics;
  /** Samples of the other threads of this process and, on a server, of the library. */
  readonly samples: () => Promise<readonly MetricSample[]>;
  /** Null if the process is ready, otherwise the reason why not. */
  readonly readiness: () => Promise<string | null>;
  readonly crawlHealth: () => Promise<CrawlHealth>;
}

export const METADATA_PATH = '/.well-known/oauth-protected-resource';
/** The resources of the server: all of it, and its MCP endpoint. */
export const METADATA_RESOURCES = ['', '/mcp'] as const;

export interface ResourceMetadata {
  /** The public URL of this server, without a slash at its end. */
  readonly resource: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

export interface Issuer {
  readonly verify: VerifyIssued;
  /** Null unless the dashboard is a client of the issuer. */
  readonly signIn: SignIn | null;
  readonly metadata: ResourceMetadata;
}

export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';

/** The keys that sign requests to sites, with the public origin where sites find them. */
export interface KeyDirectory {
  readonly agent: string;
  readonly keys: () => readonly SigningKey[];
}

export interface McpRequest {
  readonly principal: Principal;
  /** Calls of this caller. */
  readonly call: CallAction;
  /** Absent if the request has none. */
  readonly body?: unknown;
}

export interface HttpDeps {
  readonly settings: HttpSettings;
  readonly version: string;
  /** Calls without the rights of a caller; routes use the calls of their caller. */
  readonly call: CallAction;
  readonly feed: EventFeed;
  /** The documentation files for a caller with these rights. */
  readonly docsFor: (sources: SourceRights) => DocsFiles;
  readonly tokens: TokenLookup;
  /** The issuer whose access tokens are accepted too; null without one. */
  readonly issuer: Issuer | null;
  /** Null if requests are not signed. */
  readonly keyDirectory: KeyDirectory | null;
  readonly monitoring: Monitoring;
  readonly audit: AuditSink;
  /** Handler of the MCP endpoint. The body has already been read, within limits. */
  readonly mcp: (request: Request, context: McpRequest) => Promise<Response>;
  readonly log: Log;
  readonly now: () => number;
  /** Called with the connection of each request that passed authentication. */
  readonly onAuthenticated?: (socket: Socket, token: string | null) => boolean;
}
