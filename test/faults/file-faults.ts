// Writes and flushes that fail, and power that goes.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '../support/stores.ts';
import { cannotShim, readRecords, shimmed } from './io-shim.ts';
import { sqlitePlace } from './fault-library.ts';
import { cutPower } from './power-cut.ts';
import { playOn, type Fault } from './fault-fixture.ts';

const LOCAL = { engine: 'sqlite', waitsForLease: false, cannot: cannotShim } as const;

const ioError: Fault = {
  ...LOCAL,
  id: 'F20',
  short: 1,
  long: 10,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const nth = String(1 + Math.floor(scene.random() * 200));
      const worker = scene.worker({ env: shimmed('/pinakes.db', { FAULT_IO_NTH: nth }) });
      scene.forgive(worker);
      const { code, stderr } = await Promise.race([
        worker.ended,
        scene.untilEnded().then(() => ({ code: null, stderr: '' })),
      ]);
      if (code === null) return;
      scene.expect(`it stops with 1, not ${code}`, code === 1);
      scene.expect(`it says why: ${stderr.slice(-300)}`, stderr.includes('The disk of the database failed'));
      const mark = await scene.mark();
      const at = performance.now();
      scene.worker();
      await scene.resumed(mark, at);
    }),
};

const CUTS = 25;

const powerCut: Fault = {
  ...LOCAL,
  id: 'F29',
  short: 1,
  long: 2,
  play: (stage, seed) =>
    playOn(stage, { engine: 'sqlite', seed }, async (scene) => {
      const work = temporaryDirectory();
      const base = join(work, 'base');
      cpSync(scene.place.at, base, { recursive: true });
      const record = join(work, 'record');
      const acknowledged = join(work, 'pinakes.db-acknowledged');
      const worker = scene.worker({
        preload: ['note-commits'],
        env: shimmed('/pinakes.db', { FAULT_IO_RECORD: record, FAULT_ACKNOWLEDGED: acknowledged }),
      });
      await scene.untilEnded();
      // A good end copies the log into the file: cuts fall into that too.
      scene.forgive(worker);
      worker.kill('SIGTERM');
      await worker.ended;
      const records = readRecords(record);
      scene.expect(
        'writes, flushes and acknowledgements were seen',
        new Set(records.map(({ name }) => name)).size >= 3,
      );
      let highest = 0;
      for (let cut = 1; cut <= CUTS; cut += 1) {
        const to = join(work, `cut-${cut}`);
        const after = Math.floor(scene.random() * records.length);
        const keeps = cut % 2 === 0 ? 0 : 0.5;
        const owed = cutPower({ base, to, records, after, keeps, random: scene.random });
        highest = Math.max(highest, owed);
        const found = await judgeCut(to);
        scene.expect(`cut ${cut} after ${after}: ${found.last} of ${owed} acknowledged events`, found.last >= owed);
        scene.expect(`cut ${cut}: ${found.faults.join('; ')}`, found.faults.length === 0);
        rmSync(to, { recursive: true });
      }
      scene.expect('something was acknowledged', highest > 10);
      rmSync(work, { recursive: true });
    }),
};

async function judgeCut(directory: string): Promise<{ last: number; faults: readonly string[] }> {
  const place = sqlitePlace(directory);
  const { last, broken } = await place.write(async (store) => ({
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
