// Failing writes and flushes, and power cuts.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { cannotShim, readRecords, shimmed } from './io-shim.ts';
import { sqliteLibrary } from './fault-library.ts';
import { cutPower } from './power-cut.ts';
import { runInNewLibrary, type Fault } from './fault-fixture.ts';

const LOCAL = { engine: 'sqlite', waitsForLease: false, cannot: cannotShim } as const;

const ioError: Fault = {
  ...LOCAL,
  id: 'F20',
  short: 1,
  long: 10,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'sqlite', seed }, async (trial) => {
      const nth = String(1 + Math.floor(trial.random() * 200));
      const worker = trial.worker({ env: shimmed('/pinakes.db', { FAULT_IO_NTH: nth }) });
      trial.forgive(worker);
      const { code, stderr } = await Promise.race([
        worker.ended,
        trial.untilEnded().then(() => ({ code: null, stderr: '' })),
      ]);
      if (code === null) return;
      trial.expect(`it exits with 1, not ${code}`, code === 1);
      trial.expect(`it says why: ${stderr.slice(-300)}`, stderr.includes('The disk that holds the database failed'));
      const checkpoint = await trial.checkpoint();
      const at = performance.now();
      trial.worker();
      await trial.resumed(checkpoint, at);
    }),
};

const CUTS = { short: 8, long: 25 } as const;

const powerCut: Fault = {
  ...LOCAL,
  id: 'F29',
  short: 1,
  long: 2,
  run: (fixture, seed) =>
    runInNewLibrary(fixture, { engine: 'sqlite', seed }, async (trial) => {
      const work = temporaryDirectory();
      const base = join(work, 'base');
      cpSync(trial.library.at, base, { recursive: true });
      const record = join(work, 'record');
      const acknowledged = join(work, 'pinakes.db-acknowledged');
      const worker = trial.worker({
        preload: ['record-commits'],
        env: shimmed('/pinakes.db', { FAULT_IO_RECORD: record, FAULT_ACKNOWLEDGED: acknowledged }),
      });
      await trial.untilEnded();
      // A clean exit checkpoints the log into the file: cuts may fall into that too.
      trial.forgive(worker);
      worker.kill('SIGTERM');
      await worker.ended;
      const records = readRecords(record);
      trial.expect(
        'writes, flushes and acknowledgements were recorded',
        new Set(records.map(({ name }) => name)).size >= 3,
      );
      let highest = 0;
      for (let cut = 1; cut <= CUTS[fixture.isShort ? 'short' : 'long']; cut += 1) {
        const to = join(work, `cut-${cut}`);
        const after = Math.floor(trial.random() * records.length);
        const keeps = cut % 2 === 0 ? 0 : 0.5;
        const owed = cutPower({ base, to, records, after, keeps, random: trial.random });
        highest = Math.max(highest, owed);
        const found = await checkCut(to);
        trial.expect(`cut ${cut} after ${after}: ${found.last} of ${owed} acknowledged events`, found.last >= owed);
        trial.expect(`cut ${cut}: ${found.faults.join('; ')}`, found.faults.length === 0);
        rmSync(to, { recursive: true });
      }
      trial.expect('something was acknowledged', highest > 10);
      rmSync(work, { recursive: true });
    }),
};

async function checkCut(directory: string): Promise<{ last: number; faults: readonly string[] }> {
  const library = sqliteLibrary(directory);
  const { last, broken } = await library.write(async (store) => ({
    last: await store.journal.lastSeq(),
    broken: await store.verify(),
  }));
  const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
  const [integrity] = database.prepare('pragma integrity_check').all() as Array<{ integrity_check: string }>;
  const strays = database.prepare('pragma foreign_key_check').all();
  database.close();
  const faults = broken.map(({ invariant, row }) => `${invariant}: ${row}`);
  if (integrity?.integrity_check !== 'ok') faults.push(`file: ${integrity?.integrity_check}`);
  return { last, faults: strays.length === 0 ? faults : [...faults, 'foreign keys'] };
}

export const FILE_FAULTS: readonly Fault[] = [ioError, powerCut];
