// Kills a sink at random steps of its work while the library changes, lets the next one finish, and compares what it wrote with the library.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLibrary } from '../../../src/index.ts';
import { run, start, type ProgramResult } from '../../support/program.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { createChangingFolder } from '../../support/changing-folder.ts';
import { jsonlChunks, libraryChunks, qdrantChunks } from '../../support/read-targets.ts';

export interface KillSinkOptions {
  readonly kills: number;
  readonly files: number;
  /** URL of a Qdrant server; null for a JSONL file. */
  readonly qdrantUrl: string | null;
}

export interface KillSinkResult {
  readonly target: 'qdrant' | 'jsonl';
  readonly kills: number;
  /** Processes that were killed at a step of their work; the others had fewer steps and ended. */
  readonly killedAtWork: number;
  /** Kills after which the target was neither as before nor as the library. */
  readonly leftHalf: number;
  readonly chunks: number;
  /** Rounds after which the target was not equal to the library. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

const KILL_AT_STEP = new URL('./kill-at-step.ts', import.meta.url).href;
/** A sink that follows does not end by itself; it had fewer steps than expected. */
const MAX_FOLLOW_MS = 20_000;

export async function killSink({ kills, files, qdrantUrl }: KillSinkOptions): Promise<KillSinkResult> {
  const startedAt = Date.now();
  const dataDir = temporaryDirectory();
  const folder = temporaryDirectory();
  const docs = createChangingFolder(files);
  const library = await openLibrary({ dataDir });
  const collection = `killed-${process.pid}`;
  const file = join(folder, 'chunks.jsonl');
  const argsFor = (path: string, name: string): readonly string[] =>
    qdrantUrl === null ? ['sink', 'jsonl', path] : ['sink', 'qdrant', qdrantUrl, '--collection', name];
  const args = argsFor(file, collection);
  const read = async (): Promise<string> => {
    const chunks = qdrantUrl === null ? jsonlChunks(file) : await qdrantChunks(qdrantUrl, collection).catch(() => []);
    return chunks.join('\n');
  };
  const settings = { PINAKES_DATA_DIR: dataDir };
  const stepsFile = join(dataDir, 'steps');

  async function runUntil(step: number, sinkArgs: readonly string[]): Promise<ProgramResult> {
    const env = { KILL_AT: step, KILL_TARGET: qdrantUrl ?? folder, KILL_STEPS_FILE: stepsFile };
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const launcher = ['env', `NODE_OPTIONS=--import ${KILL_AT_STEP}`, ...variables];
    const sink = start(settings, sinkArgs, undefined, launcher);
    const timeout = new AbortController();
    const ending = wait(MAX_FOLLOW_MS, undefined, { signal: timeout.signal }).then(
      () => sink.kill('SIGTERM'),
      () => undefined,
    );
    const result = await sink.ended;
    timeout.abort();
    await ending;
    return result;
  }

  const differences: string[] = [];
  let [killedAtWork, leftHalf, chunks] = [0, 0, 0];
  try {
    await docs.sync(library);
    // The first one writes elsewhere and is not killed, to learn how many steps it takes.
    await runUntil(0, argsFor(join(folder, 'other.jsonl'), `${collection}-other`));
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = await read();
      const steps = Math.max(1, Number(readFileSync(stepsFile, 'utf8')));
      // Changes arrive while it runs.
      const changing = docs.sync(library);
      if (kill % 3 !== 0) await changing;
      const { signal } = await runUntil(
        1 + Math.floor(Math.random() * steps),
        kill % 2 === 0 ? [...args, '--follow'] : args,
      );
      await changing;
      const [killed, expected] = [await read(), await libraryChunks(library)];
      if (signal === 'SIGKILL') killedAtWork += 1;
      if (signal === 'SIGKILL' && killed !== before && killed !== expected.join('\n')) leftHalf += 1;
      const finished = await run(settings, args);
      if (finished.code !== 0) differences.push(`round ${kill}: ${finished.stderr}`);
      const written = await read();
      if (written !== expected.join('\n'))
        differences.push(`round ${kill}: ${written.split('\n').length} chunks instead of ${expected.length}`);
      chunks = expected.length;
      docs.mutate();
    }
  } finally {
    await library.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const target = qdrantUrl === null ? 'jsonl' : 'qdrant';
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  return { target, kills, killedAtWork, leftHalf, chunks, differences, seconds };
}
