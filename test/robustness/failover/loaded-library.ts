// A library under load: a server and a worker that a supervisor starts again, a crawl, a client that adds sources and records what was
// acknowledged, a consumer of the change feed and a listener to the event stream.

import { setTimeout as wait } from 'node:timers/promises';
import { errorCatalog } from '../../../src/core/model/errors.ts';
import { connect, PinakesError, type Library } from '../../../src/client/index.ts';
import { freePort, untilAnswers } from '../../support/free-port.ts';
import { createSiteServer, type SiteServer } from '../../support/generated-site.ts';
import { start, type RunningProgram, type Settings } from '../../support/program.ts';
import { docPage, startDocSite } from '../../support/scripted-site.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { listenReconnecting, type ReconnectingListener } from '../faults/reconnecting-listener.ts';

const PAGES = 300;
const ANSWER_MS = 60;
const ADD_EVERY_MS = 200;
const RETRY_MS = 200;
const SITE = 'site';

export interface Acknowledged {
  readonly source: string;
  readonly atMs: number;
}

export interface LoadedLibrary {
  readonly site: SiteServer;
  readonly client: Library;
  readonly acknowledged: readonly Acknowledged[];
  readonly feed: FeedCopy;
  readonly events: ReconnectingListener;
  /** Why processes ended, in order; empty for those that were stopped. */
  readonly ends: readonly string[];
  /** Processes of the program that run now. */
  readonly pids: () => readonly number[];
  /** Kills the server or the worker, which is started again. */
  kill(which: 'serve' | 'worker'): void;
  /** The client adds no more sources. */
  stopAdding(): Promise<void>;
  close(): Promise<void>;
}

/** Also where its processes put temporary files. */
type LoadedSettings = Settings & { readonly TMPDIR?: string };

/** `direct` is the address without a pooler, if there is one between. */
export async function startLoadedLibrary(
  url: string,
  direct?: string,
  more: LoadedSettings = {},
): Promise<LoadedLibrary> {
  const site = await createSiteServer({ size: PAGES, answerMs: ANSWER_MS });
  const notes = await startDocSite({}, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(docPage(wordOf(Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0))));
  });
  const port = await freePort();
  const settings: Settings = {
    PINAKES_DATABASE_URL: url,
    PINAKES_DATABASE_TIMEOUT_MS: '5000',
    ...(direct === undefined
      ? {}
      : { PINAKES_DATABASE_DIRECT_URL: direct, PINAKES_DATABASE_PREPARED_STATEMENTS: 'false' }),
    PINAKES_DATA_DIR: temporaryDirectory(),
    PINAKES_SERVE_PORT: String(port),
    PINAKES_SERVE_REQUESTS_PER_MINUTE: '100000',
    PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
    PINAKES_FETCH_ALLOW_PORTS: '1024-65535',
    PINAKES_CRAWL_START_DELAY_MS: '0',
    PINAKES_CRAWL_MIN_DELAY_MS: '0',
    PINAKES_CRAWL_CONCURRENCY: '2',
    PINAKES_CRAWL_LEASE_MS: '3000',
    PINAKES_CRAWL_RENEW_MS: '1000',
    PINAKES_PARSE_THREADS: '1',
    ...more,
  };
  const ends: string[] = [];
  const programs = { serve: supervise(settings, ['serve'], ends), worker: supervise(settings, ['worker'], ends) };
  const all = Object.values(programs);
  await untilAnswers(port).catch(async (error: unknown) => {
    await Promise.all(all.map((program) => program.stop()));
    throw error;
  });
  const server = `http://127.0.0.1:${port}`;
  const client = connect({ server });
  await client.add({ url: site.start, name: SITE });

  const acknowledged: Acknowledged[] = [];
  const stopAdding = new AbortController();
  const adding = (async () => {
    for (let n = 1; !stopAdding.signal.aborted; n += 1) {
      const source = `note-${n}`;
      // What failed may have been committed or not: only what was acknowledged counts.
      await client.add({ url: `${notes.origin}/${n}/`, name: source }).then(
        () => acknowledged.push({ source, atMs: performance.now() }),
        () => wait(RETRY_MS),
      );
      await wait(ADD_EVERY_MS);
    }
  })();
  const feed = followFeed(client);
  const events = listenReconnecting(`${server}/events`);
  return {
    site,
    client,
    acknowledged,
    feed,
    events,
    ends,
    pids: () => all.flatMap((program) => program.pid() ?? []),
    kill: (which) => programs[which].kill(),
    async stopAdding() {
      stopAdding.abort();
      await adding;
    },
    async close() {
      stopAdding.abort();
      await adding;
      events.close();
      await feed.close();
      await Promise.all(all.map((program) => program.stop()));
      await client.close();
      await site.close();
      await notes.close();
    },
  };
}

/** In the page of the n-th source that the client adds, and in no other. */
export function wordOf(n: number): string {
  return `quokka${n}x`;
}

/** The program prints the message of the error, and what to do, instead of its code. */
function reasonOf(stderr: string): string | null {
  const rolledBack = errorCatalog().find(({ code }) => code === 'database.rolled-back');
  if (rolledBack !== undefined && stderr.includes(rolledBack.message)) return rolledBack.code;
  return /database\.[a-z-]+/.exec(stderr)?.[0] ?? null;
}

/** Starts it again whenever it ends, as a service manager would. */
function supervise(settings: Settings, args: readonly string[], ends: string[]) {
  let isStopping = false;
  let program: RunningProgram | null = null;
  const supervised = (async () => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- `stop` modifies it
    while (!isStopping) {
      program = start(settings, args);
      const { code, stderr } = await program.ended;
      if (isStopping) return;
      ends.push(`${args[0]}: ${reasonOf(stderr) ?? `code ${code}`}`);
      await wait(RETRY_MS);
    }
  })();
  return {
    pid: (): number | undefined => program?.pid,
    kill: (): void => program?.kill('SIGKILL'),
    async stop() {
      isStopping = true;
      program?.kill('SIGKILL');
      await supervised;
    },
  };
}

export interface FeedCopy {
  /** Chunks by page, as the library lists them. */
  chunks(): readonly string[];
  /** How often its position was rejected, so that it listed everything again. */
  readonly relisted: () => number;
  close(): Promise<void>;
}

function followFeed(client: Library): FeedCopy {
  const stop = new AbortController();
  const { signal } = stop;
  let pages = new Map<string, Set<string>>();
  let listed: Set<string> | null = null;
  let position: string | undefined;
  let relisted = 0;

  async function follow(): Promise<void> {
    for await (const change of client.changes({ since: position, signal })) {
      position = change.position;
      if (change.kind === 'list-end') {
        if (listed !== null) for (const page of pages.keys()) if (!listed.has(page)) pages.delete(page);
        listed = null;
        continue;
      }
      const page = `${change.versionId} ${change.url}`;
      if (change.kind === 'listed') {
        pages.set(page, new Set());
        listed?.add(page);
      }
      const chunks = pages.get(page) ?? new Set<string>();
      for (const id of change.removed) chunks.delete(id);
      for (const id of change.added) chunks.add(id);
      pages.set(page, chunks);
      if (listed !== null) listed.add(page);
    }
  }

  const following = (async () => {
    while (!signal.aborted) {
      await follow().catch((error: unknown) => {
        if (signal.aborted || !(error instanceof PinakesError) || error.code !== 'changes.expired') return;
        relisted += 1;
        position = undefined;
        pages = new Map();
        listed = new Set();
      });
      await wait(signal.aborted ? 0 : RETRY_MS);
    }
  })();
  return {
    chunks: () =>
      Array.from(pages, ([page, ids]) => [...ids].map((id) => `${page} ${id}`))
        .flat()
        .toSorted(),
    relisted: () => relisted,
    async close() {
      stop.abort();
      await following;
    },
  };
}
