// What all trials of one process share: the site, its twin, and a PostgreSQL of their own.

import type { EngineName } from '../e2e/library.ts';
import type { Settings } from '../e2e/program.ts';
import { createFaultSite, fingerprintOf, type FaultSite, type Fingerprint } from './fault-site.ts';
import { postgresPlace, sqlitePlace, type FaultPlace } from './fault-library.ts';
import { startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts';
import { playTrial, type Scene, type TrialResult } from './trial.ts';

export interface Stage {
  readonly site: FaultSite;
  readonly twin: Fingerprint;
  readonly postgres: () => Promise<PrivatePostgres>;
  close(): Promise<void>;
}

export interface Fault {
  /** As in test/cases/faults.json. */
  readonly id: string;
  readonly engine: EngineName;
  /** What is varied between entries of one id. */
  readonly variant?: string;
  /** Going on waits for a lease to end, so its time grows with the lease. */
  readonly waitsForLease: boolean;
  readonly short: number;
  readonly long: number;
  /** A reason where this machine cannot host it. */
  readonly cannot?: () => string | null;
  play(stage: Stage, seed: number): Promise<TrialResult>;
}

export async function openStage(size: number, answerMs: number): Promise<Stage> {
  const site = await createFaultSite(size, answerMs);
  const twin = await crawlUndisturbed(site);
  let server: Promise<PrivatePostgres> | null = null;
  return {
    site,
    twin,
    postgres: () => (server ??= startPrivatePostgres()),
    async close() {
      await site.close();
      await (await server)?.remove();
    },
  };
}

async function crawlUndisturbed(site: FaultSite): Promise<Fingerprint> {
  const place = sqlitePlace();
  const result = await playTrial({ site, twin: null, place, seed: 0 }, async (scene) => void scene.worker());
  if (result.unmet.length > 0) throw new Error(`the twin is not whole: ${result.unmet.join('; ')}`);
  const twin = await place.read(fingerprintOf);
  await place.remove();
  const expected = site.oracle.stored.size;
  if (twin.size !== expected) throw new Error(`the twin has ${twin.size} pages, the site ${expected}`);
  return twin;
}

export interface PlayOrder {
  readonly engine: EngineName;
  readonly seed: number;
  readonly settings?: Settings;
  readonly endsAs?: readonly string[];
  /** Paths that the trial itself keeps out, or null where the pages are not the twin's at all. */
  readonly without?: readonly string[] | null;
}

/** A trial in a library of its own. */
export async function playOn(
  stage: Stage,
  order: PlayOrder,
  act: (scene: Scene) => Promise<void>,
): Promise<TrialResult> {
  return playAt(stage, await newPlace(stage, order.engine), order, act);
}

export async function newPlace(stage: Stage, engine: EngineName): Promise<FaultPlace> {
  if (engine === 'sqlite') return sqlitePlace();
  const server = await stage.postgres();
  return postgresPlace(server, await server.createDatabase());
}

/** The place is removed when nothing went wrong in it. */
export async function playAt(
  { site, twin }: Stage,
  place: FaultPlace,
  order: Omit<PlayOrder, 'engine'>,
  act: (scene: Scene) => Promise<void>,
): Promise<TrialResult> {
  const { without = [] } = order;
  const gone = new Set(without?.map((path) => `${site.origin}${path}`));
  const left = without === null ? null : new Map([...twin].filter(([url]) => !gone.has(url)));
  const result = await playTrial({ ...order, site, twin: left, place }, act);
  await place.remove();
  return result;
}
