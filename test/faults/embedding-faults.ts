// Vectors under fault: whoever embeds is killed, the embedding server is out of order, the model is another one.

import { setTimeout as wait } from 'node:timers/promises';
import type { EngineName } from '../e2e/library.ts';
import type { Settings } from '../e2e/program.ts';
import { until } from '../support/until.ts';
import { expectOneVectorEach, passagesWithVectors, progressOf } from './embedded-texts.ts';
import { createDoorClient, type DoorClient } from './http-client.ts';
import { freePort, untilAnswers } from './free-port.ts';
import type { Scene, TrialResult } from './trial.ts';
import { playOn, type Fault, type Stage } from './fault-fixture.ts';
import { startWordModel, type WordModel } from './word-model.ts';

const ENGINES: readonly EngineName[] = ['sqlite', 'postgres'];
const NO_VECTORS = { PINAKES_EMBED_PROVIDER: 'none' } as const;
const KILLS = 3;
const ANSWER_MS = 60;

async function withModel(
  sizes: Readonly<Record<string, number>>,
  play: (model: WordModel) => Promise<TrialResult>,
): Promise<TrialResult> {
  const model = await startWordModel(sizes, ANSWER_MS);
  return play(model).finally(() => model.close());
}

async function crawlWithoutVectors(scene: Scene): Promise<void> {
  const worker = scene.worker({}, NO_VECTORS);
  await scene.untilEnded();
  await until('search rows follow', () => scene.place.read(async (store) => (await store.searchRows.lag()) === 0));
  scene.forgive(worker);
  worker.kill('SIGTERM');
  await worker.ended;
}

/** Killed while texts are asked for, again and again on one library. */
const killedEmbedder = (engine: EngineName): Fault => ({
  id: 'F03',
  engine,
  waitsForLease: false,
  short: 1,
  long: 9,
  play: (stage, seed) =>
    withModel({ words: 32 }, (model) =>
      playOn(stage, { engine, seed, settings: model.settings('words') }, async (scene) => {
        await crawlWithoutVectors(scene);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          const worker = scene.worker();
          scene.forgive(worker);
          const enough = model.asked.length + Math.floor(scene.random() * 8);
          await until('texts are asked for', () => model.open() > 0 && model.asked.length > enough);
          await wait(scene.random() * 2 * ANSWER_MS);
          worker.kill('SIGKILL');
          await worker.ended;
          const done = await passagesWithVectors(scene.place);
          const asked = model.asked.length;
          if (kill === 1) await expectFoundByText(scene, done);
          if (kill < KILLS) continue;
          scene.worker();
          await untilEmbedded(scene);
          const again = model.asked.slice(asked).filter((text) => done.has(text));
          scene.expect(`${again.length} texts that had their vectors were embedded again`, again.length === 0);
        }
        await expectOneVectorEach(scene);
      }),
    ),
});

/** A page whose text has no vector yet is found by its own sentence. */
async function expectFoundByText(scene: Scene, done: ReadonlySet<string>): Promise<void> {
  const bare = [...scene.site.oracle.stored].find(([, sentence]) => ![...done].some((text) => text.includes(sentence)));
  if (bare === undefined) throw new Error('every page has its vectors: the kill came too late');
  const [path, sentence] = bare;
  const { code, stdout } = await scene.run(['search', sentence, '--json'], {}, { PINAKES_OWNER_MODE: 'in-process' });
  const { passages } = JSON.parse(stdout || '{"passages":[]}') as { passages: Array<{ url: string }> };
  const found = passages.some(({ url }) => url.startsWith(`${scene.site.origin}${path}`));
  scene.expect(`${path} is found by its text (${code})`, found);
}

/** The list says ten minutes; the clock is shortened to seconds. */
const OUTAGE_MS = { short: 12_000, long: 20_000 };
/** Whoever waited for a silent server would wait until the outage ends. */
const TIMEOUT = { PINAKES_EMBED_TIMEOUT_MS: '60000' } as const;
const ANSWERS_WITHIN_MS = 8000;

/** Two pages come new while nobody embeds, so that the questions have a space to ask and the queue something to do. */
const serverDown = (engine: EngineName, form: keyof typeof OUTAGE_MS): Fault => ({
  id: 'F36',
  engine,
  variant: `${OUTAGE_MS[form] / 1000} s`,
  waitsForLease: false,
  short: form === 'short' ? 1 : 0,
  long: form === 'long' ? 3 : 0,
  play: (stage, seed) =>
    withModel({ words: 32 }, (model) =>
      playOn(stage, { engine, seed, settings: { ...model.settings('words'), ...TIMEOUT } }, async (scene) => {
        const client = await serveHybrid(stage, scene);
        const mend = model.breakDown();
        const over = wait(OUTAGE_MS[form]);
        await client.post('/api/sources/site/recrawl');
        const asking = client.keepAsking();
        await Promise.all([over, scene.untilEnded()]);
        scene.expect('the queue waits', (await progressOf(scene.place)).wanted > 0);
        const mendedAt = performance.now();
        mend();
        await untilEmbedded(scene);
        scene.measure('from the end of the outage until every text has its vector', performance.now() - mendedAt);
        const { answers, failures, slowestMs } = await asking();
        scene.measure('slowest search', slowestMs);
        scene.expect(`searches failed: ${failures.join('; ')}`, failures.length === 0);
        scene.expect(
          `${answers} searches, the slowest took ${Math.round(slowestMs)} ms`,
          slowestMs < ANSWERS_WITHIN_MS,
        );
        await until('vectors help again', async () => (await client.search('almanac')).mode === 'hybrid');
        await expectOneVectorEach(scene);
      }),
    ),
});

/** A server whose library is whole but for two pages that its site hides; they are there when this returns. */
async function serveHybrid(stage: Stage, scene: Scene): Promise<DoorClient> {
  const show = stage.site.hide([...stage.site.oracle.stored.keys()].slice(-3, -1));
  const port = await freePort();
  scene.server(port);
  await untilAnswers(port);
  const client = createDoorClient(port);
  await scene.untilEnded();
  await untilEmbedded(scene);
  await until('vectors help', async () => (await client.search('almanac')).mode === 'hybrid');
  show();
  return client;
}

const SIZES = { small: 24, large: 40 };

/** Started anew with another model while the texts of the first are under way; on PostgreSQL both work for a while. */
const otherModel = (engine: EngineName): Fault => ({
  id: 'F37',
  engine,
  variant: 'another name',
  waitsForLease: false,
  short: engine === 'sqlite' ? 1 : 0,
  long: 5,
  play: (stage, seed) =>
    withModel(SIZES, (model) =>
      playOn(stage, { engine, seed }, async (scene) => {
        await crawlWithoutVectors(scene);
        const former = await serveAs(scene, model.settings('small'));
        await untilSomeVectors(scene);
        if (engine === 'sqlite') await former.end();
        const current = await serveAs(scene, model.settings('large'));
        await untilEmbedded(scene, SIZES.large);
        await until('vectors help', async () => (await current.client.search('almanac')).mode === 'hybrid');
        if (engine === 'postgres') await former.end();
        await current.end();
        await expectOneVectorEach(scene, SIZES.large);
      }),
    ),
});

/** The server has another model under the same name: what it gives fits no more, and is kept nowhere. */
const otherUnderSameName = (engine: EngineName): Fault => ({
  id: 'F37',
  engine,
  variant: 'the same name',
  waitsForLease: false,
  short: 0,
  long: 5,
  play: (stage, seed) =>
    withModel({ words: SIZES.small }, (model) =>
      playOn(stage, { engine, seed, settings: model.settings('words') }, async (scene) => {
        await crawlWithoutVectors(scene);
        const serving = await serveAs(scene);
        await untilSomeVectors(scene);
        model.resize('words', SIZES.large);
        await untilEmbedded(scene, SIZES.large);
        await until('vectors help', async () => (await serving.client.search('almanac')).mode === 'hybrid');
        await serving.end();
        await expectOneVectorEach(scene, SIZES.large);
      }),
    ),
});

interface AskedServer {
  readonly client: DoorClient;
  /** Says what failed of all that was asked, and ends the server. */
  end(): Promise<void>;
}

/** A server that somebody asks all the time. */
async function serveAs(scene: Scene, settings: Settings = {}): Promise<AskedServer> {
  const port = await freePort();
  const server = scene.server(port, {}, settings);
  await untilAnswers(port);
  const client = createDoorClient(port);
  const asking = client.keepAsking();
  return {
    client,
    async end() {
      const { answers, failures } = await asking();
      scene.expect(`searches failed: ${failures.join('; ')}`, answers > 0 && failures.length === 0);
      scene.forgive(server);
      server.kill('SIGTERM');
      await server.ended;
    },
  };
}

async function untilSomeVectors(scene: Scene): Promise<void> {
  const enough = 4 + Math.floor(scene.random() * 20);
  await until('some texts have vectors', async () => (await progressOf(scene.place)).embedded >= enough);
}

async function untilEmbedded(scene: Scene, dimensions?: number): Promise<void> {
  await until(
    'every text has its vector',
    async () => {
      const { wanted, embedded } = await progressOf(scene.place, dimensions);
      return wanted === 0 && embedded > 0;
    },
    180_000,
  );
}

export const EMBEDDING_FAULTS: readonly Fault[] = [
  ...ENGINES.map(killedEmbedder),
  serverDown('postgres', 'short'),
  ...ENGINES.map((engine) => serverDown(engine, 'long')),
  ...ENGINES.map(otherModel),
  ...ENGINES.map(otherUnderSameName),
];
