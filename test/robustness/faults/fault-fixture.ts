// The fixture that all trials of one process share: the site, its control crawl, and a private PostgreSQL.

import type { EngineName } from '../../support/library.ts';
import type { Settings } from '../../support/program.ts';
import { createFaultSite, fingerprintOf, type FaultSite, type Fingerprint } from './fault-site.ts';
import { postgresLibrary, sqliteLibrary, type FaultLibrary } from './fault-library.ts';
import { startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts';
import { runTrial, type Trial, type TrialResult } from './trial.ts';

export interface FaultFixture {
  /** The short form repeats what a trial does inside less often than the long one. */
  readonly isShort: boolean;
  readonly site: FaultSite;
  readonly control: Fingerprint;
  readonly postgres: () => Promise<PrivatePostgres>;
  /** The URL of a new database of that server with the schema: a copy takes a quarter of the time of a migration. */
  readonly migratedDatabase: () => Promise<string>;
  close(): Promise<void>;
}

export interface Fault {
  /** As in test/data/cases/faults.json. */
  readonly id: string;
  readonly engine: EngineName;
  /** What varies between entries of one id. */
  readonly variant?: string;
  /** Resuming waits for a lease to expire, so its time grows with the lease. */
  readonly waitsForLease: boolean;
  readonly short: number;
  readonly long: number;
  /** Why this machine cannot run it; null if it can. */
  readonly cannot?: () => string | null;
  run(fixture: FaultFixture, seed: number): Promise<TrialResult>;
}

export async function openFixture(size: number, answerMs: number, isShort: boolean): Promise<FaultFixture> {
  const site = await createFaultSite(size, answerMs);
  const control = await crawlWithoutFault(site);
  let server: Promise<PrivatePostgres> | null = null;
  let template: Promise<string> | null = null;
  const postgres = (): Promise<PrivatePostgres> => (server ??= startPrivatePostgres());
  return {
    isShort,
    site,
    control,
    postgres,
    async migratedDatabase() {
      const started = await postgres();
      template ??= migrateDatabase(started);
      return started.createDatabase(`template ${await template}`);
    },
    async close() {
      await site.close();
      await (await server)?.remove();
    },
  };
}

async function migrateDatabase(server: PrivatePostgres): Promise<string> {
  const url = await server.createDatabase();
  await postgresLibrary(server, url).write(async () => undefined);
  return new URL(url).pathname.slice(1);
}

async function crawlWithoutFault(site: FaultSite): Promise<Fingerprint> {
  const library = sqliteLibrary();
  const result = await runTrial({ site, control: null, library, seed: 0 }, async (trial) => void trial.worker());
  if (result.unmet.length > 0) throw new Error(`the control crawl is incomplete: ${result.unmet.join('; ')}`);
  const control = await library.read(fingerprintOf);
  await library.remove();
  const expected = site.oracle.stored.size;
  if (control.size !== expected) throw new Error(`the control crawl has ${control.size} pages, the site ${expected}`);
  return control;
}

export interface RunOptions {
  readonly engine: EngineName;
  readonly seed: number;
  readonly settings?: Settings;
  readonly endsAs?: readonly string[];
  /** Paths that the trial itself excludes, or null if the pages are not those of the control crawl at all. */
  readonly without?: readonly string[] | null;
}

/** A trial in a new library. */
export async function runInNewLibrary(
  fixture: FaultFixture,
  options: RunOptions,
  act: (trial: Trial) => Promise<void>,
): Promise<TrialResult> {
  const library =
    options.engine === 'sqlite'
      ? sqliteLibrary()
      : postgresLibrary(await fixture.postgres(), await fixture.migratedDatabase());
  return runInLibrary(fixture, library, options, act);
}

/** Without a schema. */
export async function emptyLibrary(fixture: FaultFixture, engine: EngineName): Promise<FaultLibrary> {
  if (engine === 'sqlite') return sqliteLibrary();
  const server = await fixture.postgres();
  return postgresLibrary(server, await server.createDatabase());
}

/** The library is removed if nothing went wrong. */
export async function runInLibrary(
  { site, control }: FaultFixture,
  library: FaultLibrary,
  options: Omit<RunOptions, 'engine'>,
  act: (trial: Trial) => Promise<void>,
): Promise<TrialResult> {
  const { without = [] } = options;
  const gone = new Set(without?.map((path) => `${site.origin}${path}`));
  const left = without === null ? null : new Map([...control].filter(([url]) => !gone.has(url)));
  const result = await runTrial({ ...options, site, control: left, library }, act);
  await library.remove();
  return result;
}
