// The server: HTTP, live events, and MCP for many clients.

import { eventView } from '../actions/list-journal.ts';
import { loadHosts, perHostOf } from '../actions/support/run-hosts.ts';
import { loadRunViews, type RunView } from '../actions/support/run-view.ts';
import { openIssuer } from './issuer.ts';
import { createChangeLimit } from './mcp.ts';
import { runOwner, type Interfaces, type OwnerParts } from './owner.ts';
import type { AppContext } from './app-context.ts';
import { usesSqlite } from './store.ts';
import type { RunId } from '../core/model/run.ts';
import type { SourceRights } from '../core/model/source-rights.ts';
import type { Config } from '../platform/config/schema.ts';
import { watchSigningKeys } from '../platform/signing-keys.ts';
import { writeServerInfo } from '../platform/server-info.ts';
import type { EventFeed, KeyDirectory } from '../serve/http/http-deps.ts';
import type { Store } from '../store/port.ts';
import type { Run } from '../store/port/runs.ts';
import { restrictStore } from '../store/restricted/restrict-store.ts';

/** Works on every run and serves HTTP and MCP until the signal. */
export async function serveUntilStopped(context: AppContext, onListening: (url: string) => void): Promise<void> {
  const trace = traceStart(context);
  const openInterfaces = async ({ store, createCall, monitoring, audit }: OwnerParts): Promise<Interfaces> => {
    trace('the library is open');
    const { listen } = await import('../serve/http/listen.ts');
    const { createMcpEndpoint } = await import('../serve/mcp/mcp-transports.ts');
    const { createDocsFiles } = await import('../library/docs-files.ts');
    const { config, log, version } = context;
    trace('the interfaces are loaded');
    const call = createCall(false);
    const onError = (error: unknown): void => log.error('an MCP request failed', { error });
    const { writeTools } = config.serve;
    const mcp = createMcpEndpoint({
      call,
      version,
      writeTools,
      changes: createChangeLimit(context),
      onError,
      now: Date.now,
    });
    const about = { settings: config.serve, version, log, now: Date.now };
    const http = {
      ...about,
      call,
      feed: createEventFeed(store),
      docsFor: (sources: SourceRights) => createDocsFiles(restrictStore(store, sources), version),
      tokens: store.tokens,
      issuer: openIssuer(config, store.sessions),
      keyDirectory: openKeyDirectory(config),
      monitoring,
      audit,
      mcp: mcp.fetch,
    };
    const isDefault = context.origins.get('serve.port')?.kind === 'default';
    const server = await listen(http, isDefault);
    trace('the server listens');
    if (isDefault && server.port !== config.serve.port)
      log.warn('the default port is taken, so another one is used', { taken: config.serve.port, port: server.port });
    const forgetServer = usesSqlite(context) ? writeServerInfo(config.dataDir, server.url) : () => undefined;
    onListening(server.url);
    return {
      ports: [server.port],
      async close() {
        forgetServer();
        await server.close();
        await mcp.close();
      },
    };
  };
  await runOwner(context, { until: 'stopped', answersQueries: true, openInterfaces });
}

/** Null unless requests are signed. Raises `signing.unusable`. */
function openKeyDirectory({ fetch: { signingKeys, signatureAgent } }: Config): KeyDirectory | null {
  if (signingKeys === undefined || signatureAgent === undefined) return null;
  return { agent: signatureAgent, keys: watchSigningKeys(signingKeys, Date.now) };
}

/** At level debug: what a start has done after how many milliseconds. */
function traceStart({ log }: Pick<AppContext, 'log'>): (step: string) => void {
  const begunMs = performance.now();
  return (step) => log.debug('start', { step, ms: Math.round(performance.now() - begunMs) });
}

/** How long a client that connects is told of the end of a run. */
const ENDED_LATELY_MS = 600_000;
const MAX_ENDED_RUNS = 20;
/** In a frame, which every client gets once a second. */
const MAX_PROGRESS_HOSTS = 20;

function createEventFeed(store: Store): EventFeed {
  const withHosts = async (view: RunView, run: Run): Promise<RunView> =>
    run.endedAt === null ? { ...view, perHost: perHostOf(await loadHosts(store, run, MAX_PROGRESS_HOSTS)) } : view;
  return {
    eventsAfter: async (seq, limit) => (await store.journal.after(seq, limit)).map(eventView),
    lastSeq: () => store.journal.lastSeq(),
    async liveRuns() {
      const runs = await store.runs.live();
      const found = await loadRunViews(store, runs);
      return Promise.all(runs.flatMap((run, i) => (found[i] === undefined ? [] : [withHosts(found[i], run)])));
    },
    async endedRuns() {
      const newest = await store.runs.list(MAX_ENDED_RUNS);
      const ended = newest.filter(({ endedAt, readAt }) => endedAt !== null && +readAt - +endedAt < ENDED_LATELY_MS);
      return loadRunViews(store, ended.toReversed());
    },
    async run(id) {
      const run = await store.runs.byId(id as RunId);
      const [view] = run === null ? [] : await loadRunViews(store, [run]);
      return run === null || view === undefined ? null : withHosts(view, run);
    },
    async sourcesOf(ids) {
      const runs = (await Promise.all(ids.map((id) => store.runs.byId(id as RunId)))).flatMap((run) => run ?? []);
      const sources = await store.sources.byIds([...new Set(runs.map(({ source }) => source))]);
      const names = new Map(sources.map(({ id, name }) => [id, name]));
      return new Map(
        runs.flatMap(({ id, source }) => {
          const name = names.get(source);
          return name === undefined ? [] : [[id, name]];
        }),
      );
    },
  };
}
