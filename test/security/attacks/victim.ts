// The real program as a server under attack: a library with one good source, a holder of a token who keeps searching, and
// what both cost in the meantime. With TEST_PROGRAM it is the built program.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { run, start, type Settings } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { wallSlowness } from '../../support/work-time.ts';

export interface AttackedRun {
  readonly state: string;
  readonly reason: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: ReadonlyArray<{ readonly kind: string; readonly message: string }>;
}

export interface Victim {
  readonly origin: string;
  readonly token: string;
  /** Adds the site and waits for the end of its run, while it measures. */
  crawl(url: string, settings?: Readonly<Record<string, unknown>>): Promise<AttackedRun>;
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>;
  /** Runs the attack, and expects that the server keeps answering and stays small. */
  during<T>(attack: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Acceptance of every attack: so much memory, and an answer within a second or five times the time of a quiet server. The longest of the
 * lists takes 600 to 625 MB, depending on when garbage is collected.
 */
const MAX_RSS_MB = 700;
const MAX_ANSWER_MS = 1000;
const QUIET_FACTOR = 5;
const QUIET_REQUESTS = 10;

const LOOPBACK_SITE: Settings = {
  PINAKES_FETCH_ALLOW_CIDRS: '127.0.0.0/8',
  PINAKES_CRAWL_START_DELAY_MS: '0',
  PINAKES_CRAWL_MIN_DELAY_MS: '0',
  PINAKES_CRAWL_RETRY_BASE_MS: '50',
  PINAKES_SERVE_PORT: '0',
  // A busy machine is not the attack.
  PINAKES_PARSE_TIMEOUT_MS: '60000',
};

export async function startVictim(more: Settings = {}): Promise<Victim> {
  const directory = temporaryDirectory();
  const docs = join(directory, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'pool.md'), '# Connection pool\n\nThe pool keeps a few connections open.\n');
  const settings: Settings = { ...LOOPBACK_SITE, PINAKES_DATA_DIR: join(directory, 'data'), ...more };
  const alone = { ...settings, PINAKES_OWNER_MODE: 'in-process' } as const;
  expect(await run(alone, ['add', docs, '--name', 'good', '--wait'])).toMatchObject({ code: 0 });
  const created = await run(alone, ['tokens', 'create', 'chief', '--role', 'admin', '--json']);
  const { token } = JSON.parse(created.stdout) as { token: string };
  const listening = Promise.withResolvers<string>();
  const server = start(settings, ['serve'], (text) => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url !== undefined) listening.resolve(url);
  });
  void server.ended.then(({ stderr }) => listening.reject(new Error(`the server ended: ${stderr}`)));
  const origin = await listening.promise;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${origin}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const answerMs = async (): Promise<number> => {
    const began = performance.now();
    await Promise.all([
      fetch(`${origin}/healthz`).then((response) => response.text()),
      call('GET', '/search?query=pool'),
    ]);
    return performance.now() - began;
  };
  const quiet: number[] = [];
  for (let nth = 0; nth < QUIET_REQUESTS; nth += 1) quiet.push(await answerMs());
  const limitMs = Math.max(MAX_ANSWER_MS, QUIET_FACTOR * Math.max(...quiet));

  async function during<T>(attack: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const attacking = attack().finally(() => over.abort());
    // It is awaited below; until then, its failure is not unhandled.
    attacking.catch(() => undefined);
    let longestMs = 0;
    do {
      longestMs = Math.max(longestMs, await answerMs());
      await wait(100);
    } while (!over.signal.aborted);
    const result = await attacking;
    expect(longestMs, 'the longest time without an answer').toBeLessThan(limitMs * wallSlowness());
    expect(peakRssMb(server.pid), 'the peak of the memory').toBeLessThan(MAX_RSS_MB);
    return result;
  }

  return {
    origin,
    token,
    call,
    during,
    crawl: (url, crawlSettings = {}) =>
      during(async () => {
        const { run: id } = await call<{ run: number }>('POST', '/sources', { url, ...crawlSettings });
        return endedRun(id, call);
      }),
    async close() {
      server.kill('SIGTERM');
      await server.ended;
      rmSync(directory, { recursive: true });
    },
  };
}

async function endedRun(id: number, call: Victim['call']): Promise<AttackedRun> {
  for (const deadline = Date.now() + MAX_RUN_MS; ; await wait(100)) {
    const { runs, problems } = await call<RunStatus>('GET', `/runs/${id}`);
    const [ended] = runs;
    if (ended.endedAt !== null) return { ...ended, problems };
    if (Date.now() > deadline) throw new Error(`the attacked run does not end: ${JSON.stringify({ ended, problems })}`);
  }
}

interface RunStatus {
  readonly runs: readonly [Omit<AttackedRun, 'problems'> & { readonly endedAt: string | null }];
  readonly problems: AttackedRun['problems'];
}

const MAX_RUN_MS = 240_000;

/** Since the process started. */
function peakRssMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}
