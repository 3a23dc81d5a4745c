// Kills a sink at random moments while the library changes, lets the next one finish, and compares what it wrote with the library.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLibrary } from '../../../src/index.ts';
import { start } from '../../support/program.ts';
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
  /** Processes that had written something and had not ended when they were killed. */
  readonly killedMidway: number;
  readonly chunks: number;
  /** Rounds after which the target was not equal to the library. */
  readonly differences: readonly string[];
}

export async function killSink({ kills, files, qdrantUrl }: KillSinkOptions): Promise<KillSinkResult> {
  const dataDir = temporaryDirectory();
  const folder = temporaryDirectory();
  const docs = createChangingFolder(files);
  const library = await openLibrary({ dataDir });
  const collection = `killed-${process.pid}`;
  const file = join(folder, 'chunks.jsonl');
  const args = qdrantUrl === null ? ['sink', 'jsonl', file] : ['sink', 'qdrant', qdrantUrl, '--collection', collection];
  const read = async (): Promise<string[]> =>
    qdrantUrl === null ? jsonlChunks(file) : qdrantChunks(qdrantUrl, collection).catch(() => []);
  const settings = { PINAKES_DATA_DIR: dataDir };
  const differences: string[] = [];
  let killedMidway = 0;
  let chunks = 0;
  try {
    await docs.sync(library);
    // The first one runs to its end elsewhere, to learn how long it takes.
    let usualMs = (await start(settings, ['sink', 'jsonl', join(folder, 'other.jsonl')]).ended).ms;
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = await read();
      const sink = start(settings, kill % 2 === 0 ? [...args, '--follow'] : args);
      // Changes arrive while it runs.
      const changing = kill === 1 ? Promise.resolve() : docs.sync(library);
      await wait(usualMs * (0.3 + 0.8 * Math.random()));
      sink.kill('SIGKILL');
      const { signal } = await sink.ended;
      await changing;
      const [killed, expected] = [await read(), await libraryChunks(library)];
      if (signal === 'SIGKILL' && killed.join('\n') !== before.join('\n')) killedMidway += 1;
      const finished = await start(settings, args).ended;
      if (finished.code !== 0) differences.push(`round ${kill}: ${finished.stderr}`);
      usualMs = finished.ms;
      const written = await read();
      if (written.join('\n') !== expected.join('\n'))
        differences.push(`round ${kill}: ${written.length} chunks instead of ${expected.length}`);
      chunks = expected.length;
      docs.mutate();
    }
  } finally {
    await library.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { target: qdrantUrl === null ? 'jsonl' : 'qdrant', kills, killedMidway, chunks, differences };
}
