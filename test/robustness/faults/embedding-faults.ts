// Embedding faults: the embedding process is killed, the embedding server fails, the model changes.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../../support/library.ts';
import type { Settings } from '../../support/program.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { expectOneVectorEach, passagesWithVectors, progressOf } from './embedded-texts.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { freePort, untilAnswers } from '../../support/free-port.ts';
import type { Trial, TrialResult } from './trial.ts';
import { runInNewLibrary, type Fault, type FaultFixture } from './fault-fixture.ts';
import { startWordModel, type WordModel } from './word-model.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];
const NO_VECTORS = { PINAKES_EMBED_PROVIDER: 'none' } as const;
const KILLS = 3;
const RESPONSE_MS = 60;

async function withModel(
  sizes: Readonly<Record<string, number>>,
  play: (model: WordModel) => Promise<TrialResult>,
): Promise<TrialResult> {
  const model = await startWordModel(sizes, RESPONSE_MS);
  return play(model).finally(() => model.close());
}

async function crawlWithoutVectors(trial: Trial): Promise<void> {
  const worker = trial.worker({}, NO_VECTORS);
  await trial.untilEnded();
  await waitUntil('the search index is up to date', () =>
    trial.library.read(async (store) => (await store.segments.queueLength()) === 0),
  );
  trial.forgive(worker);
  worker.kill('SIGTERM');
  await worker.ended;
}

/** Killed repeatedly on one library while texts are being embedded. */
const killedEmbedder = (engine: EngineName): Fault => ({
  id: 'F03',
  engine,
  waitsForLease: false,
  short: engine === 'postgres' ? 1 : 0,
  long: 9,
  run: (fixture, seed) =>
    withModel({ words: 32 }, (model) =>
      runInNewLibrary(fixture, { engine, seed, settings: model.settings('words') }, async (trial) => {
        await crawlWithoutVectors(trial);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          const worker = trial.worker();
          trial.forgive(worker);
          const enough = model.texts.length + Math.floor(trial.random() * 8);
          await waitUntil('texts are being embedded', () => model.open() > 0 && model.texts.length > enough);
          await wait(trial.random() * 2 * RESPONSE_MS);
          worker.kill('SIGKILL');
          await worker.ended;
          const done = await passagesWithVectors(trial.library);
          const requested = model.texts.length;
          if (kill === 1) await expectFoundByText(trial, done);
          if (kill < KILLS) continue;
          trial.worker();
          await untilEmbedded(trial);
          const again = model.texts.slice(requested).filter((text) => done.has(text));
          trial.expect(`${again.length} texts that had their vectors were embedded again`, again.length === 0);
        }
        await expectOneVectorEach(trial);
      }),
    ),
});

/** A page whose text has no vector yet is found by its own sentence. */
async function expectFoundByText(trial: Trial, done: ReadonlySet<string>): Promise<void> {
  const bare = [...trial.site.oracle.stored].find(([, sentence]) => ![...done].some((text) => text.includes(sentence)));
  if (bare === undefined) throw new Error('every page has its vectors: the kill came too late');
  const [path, sentence] = bare;
  const { code, stdout } = await trial.run(['search', sentence, '--json'], {}, { PINAKES_OWNER_MODE: 'in-process' });
  const { passages } = JSON.parse(stdout || '{"passages":[]}') as { passages: Array<{ url: string }> };
  const found = passages.some(({ url }) => url.startsWith(`${trial.site.origin}${path}`));
  trial.expect(`${path} is found by its text (${code})`, found);
}

/** The list says ten minutes; the test scales it down to seconds. */
const OUTAGE_MS = 20_000;
/** A search that waited for a silent server would wait until the outage ends. */
const TIMEOUT = { PINAKES_EMBED_TIMEOUT_MS: '60000' } as const;
const MAX_SEARCH_MS = 8000;

/** Two pages are new while nothing is embedded, so that searches use an existing space and the queue has work. */
const serverDown = (engine: EngineName): Fault => ({
  id: 'F36',
  engine,
  variant: `${OUTAGE_MS / 1000} s`,
  waitsForLease: false,
  short: 0,
  long: 3,
  run: (fixture, seed) =>
    withModel({ words: 32 }, (model) =>
      runInNewLibrary(
        fixture,
        { engine, seed, settings: { ...model.settings('words'), ...TIMEOUT } },
        async (trial) => {
          const client = await serveHybrid(fixture, trial);
          const heal = model.breakDown();
          const over = wait(OUTAGE_MS);
          await client.post('/api/sources/site/recrawl');
          const stopSearching = client.keepSearching();
          await Promise.all([over, trial.untilEnded()]);
          trial.expect('the queue waits', (await progressOf(trial.library)).pending > 0);
          const healedAt = performance.now();
          heal();
          await untilEmbedded(trial);
          trial.measure('from the end of the outage until every text has its vector', performance.now() - healedAt);
          const { responses, failures, slowestMs } = await stopSearching();
          trial.measure('slowest search', slowestMs);
          trial.expect(`searches failed: ${failures.join('; ')}`, failures.length === 0);
          trial.expect(
            `${responses} searches, the slowest took ${Math.round(slowestMs)} ms`,
            slowestMs < MAX_SEARCH_MS,
          );
          await waitUntil('vectors are used again', async () => (await client.search('almanac')).mode === 'hybrid');
          await expectOneVectorEach(trial);
        },
      ),
    ),
});

/** A server whose library is complete except for two pages that its site hides; they are there when this returns. */
async function serveHybrid(fixture: FaultFixture, trial: Trial): Promise<HttpClient> {
  const show = fixture.site.hide([...fixture.site.oracle.stored.keys()].slice(-3, -1));
  const port = await freePort();
  trial.server(port);
  await untilAnswers(port);
  const client = createHttpClient(port);
  await trial.untilEnded();
  await untilEmbedded(trial);
  await waitUntil('vectors are used', async () => (await client.search('almanac')).mode === 'hybrid');
  show();
  return client;
}

const SIZES = { small: 24, large: 40 };

/** Restarted with another model while the texts of the first are in flight; on PostgreSQL both run for a while. */
const otherModel = (engine: EngineName): Fault => ({
  id: 'F37',
  engine,
  variant: 'another name',
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 5,
  run: (fixture, seed) =>
    withModel(SIZES, (model) =>
      runInNewLibrary(fixture, { engine, seed }, async (trial) => {
        await crawlWithoutVectors(trial);
        const previous = await serveAs(trial, model.settings('small'));
        await untilSomeVectors(trial);
        if (engine === 'sqlite') await previous.end();
        const current = await serveAs(trial, model.settings('large'));
        await untilEmbedded(trial, SIZES.large);
        await waitUntil('vectors are used', async () => (await current.client.search('almanac')).mode === 'hybrid');
        if (engine === 'postgres') await previous.end();
        await current.end();
        await expectOneVectorEach(trial, SIZES.large);
      }),
    ),
});

/** The server has another model under the same name: its vectors no longer fit, and are not stored. */
const otherUnderSameName = (engine: EngineName): Fault => ({
  id: 'F37',
  engine,
  variant: 'the same name',
  waitsForLease: false,
  short: 0,
  long: 5,
  run: (fixture, seed) =>
    withModel({ words: SIZES.small }, (model) =>
      runInNewLibrary(fixture, { engine, seed, settings: model.settings('words') }, async (trial) => {
        await crawlWithoutVectors(trial);
        const serving = await serveAs(trial);
        await untilSomeVectors(trial);
        model.resize('words', SIZES.large);
        await untilEmbedded(trial, SIZES.large);
        await waitUntil('vectors are used', async () => (await serving.client.search('almanac')).mode === 'hybrid');
        await serving.end();
        await expectOneVectorEach(trial, SIZES.large);
      }),
    ),
});

interface LoadedServer {
  readonly client: HttpClient;
  /** Returns the failures of all searches, and stops the server. */
  end(): Promise<void>;
}

/** A server under a constant load of searches. */
async function serveAs(trial: Trial, settings: Settings = {}): Promise<LoadedServer> {
  const port = await freePort();
  const server = trial.server(port, {}, settings);
  await untilAnswers(port);
  const client = createHttpClient(port);
  const stopSearching = client.keepSearching();
  return {
    client,
    async end() {
      const { responses, failures } = await stopSearching();
      trial.expect(`searches failed: ${failures.join('; ')}`, responses > 0 && failures.length === 0);
      trial.forgive(server);
      server.kill('SIGTERM');
      await server.ended;
    },
  };
}

async function untilSomeVectors(trial: Trial): Promise<void> {
  const enough = 4 + Math.floor(trial.random() * 20);
  await waitUntil('some texts have vectors', async () => (await progressOf(trial.library)).embedded >= enough);
}

async function untilEmbedded(trial: Trial, dimensions?: number): Promise<void> {
  await waitUntil(
    'every text has its vector',
    async () => {
      const { pending, embedded } = await progressOf(trial.library, dimensions);
      return pending === 0 && embedded > 0;
    },
    180_000,
  );
}

export const EMBEDDING_FAULTS: readonly Fault[] = [
  ...ENGINES.map(killedEmbedder),
  ...ENGINES.map((engine) => serverDown(engine)),
  ...ENGINES.map(otherModel),
  ...ENGINES.map(otherUnderSameName),
];
