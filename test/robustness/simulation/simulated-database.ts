// A database that many processes share, over a real SQLite file: calls and answers get lost or are late, it cannot be reached, is
// read-only or full for a while, and goes back to an earlier copy of itself. Each process has its own store, with its own caches.

import { AsyncLocalStorage } from 'node:async_hooks';
import { pinakesError, type ErrorCode } from '../../../src/core/model/errors.ts';
import type { Store } from '../../../src/store/port.ts';
import type { WakeupKind } from '../../../src/store/port/wakeups.ts';
import { createSqlStore } from '../../../src/store/sql/create-sql-store.ts';
import type { Executor } from '../../../src/store/sql/engine/engine.ts';
import { createSchemaCheck, RECORD, type Migration } from '../../../src/store/sql/engine/migrations.ts';
import { createAnnouncer } from '../../../src/store/sql/engine/wakeups.ts';
import { sqliteParts } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { SqliteEngine } from '../../../src/store/sqlite/sqlite-engine.ts';
import { countCommit } from './commit-order.ts';
import type { Conditions } from './faults.ts';
import {
  abandonDatabase,
  newDatabaseFile,
  openSimulatedEngine,
  removeDatabaseFile,
  takeEmptyDatabase,
} from './reused-database.ts';
import type { ProgramBuild } from './program-build.ts';
import { currentProcess, delayInProcess, inProcess, type SimulatedProcess } from './simulated-process.ts';
import { trace } from './trace.ts';
import { at, chance, integer, virtualEpochMs, virtualMs } from './virtual-time.ts';

/** Attempts of each URL: chaos must not use them up. */
export const MAX_ATTEMPTS = 60;
/** The delay of a single call, or of its answer: what it reads or writes has changed in the meantime. */
const MAX_LATE_MS = 9000;
/** Less than their lease. */
const MAX_LATE_CLAIM_MS = 2500;
const MAX_LATE_INDEXING_MS = 4000;
/** A database that comes and goes fails so many calls, and so many answers. */
const FLAPPING_SHARE = 0.3;
/** As for processes that hear announcements. */
const MAX_IDLE_MS = 2000;
/** Announced to other processes: see WakeupKind. */
const PUBLISHED: readonly WakeupKind[] = ['runs', 'urls', 'texts'];

export interface SingleFault {
  readonly kind: 'lost' | 'rolled-back' | 'answer-lost' | 'death' | 'stop' | 'late' | 'late-answer';
  /** Counted over all workers; only calls of this kind count, or all of them. */
  readonly call: number;
  readonly of: 'read' | 'write' | 'call';
  /** So many in a row. */
  readonly times?: number;
}

export interface DatabaseOptions {
  readonly conditions: Conditions;
  readonly startDelayMs: number;
  readonly singleFault: SingleFault | null;
  /** As on PostgreSQL, where another process may migrate the database. */
  readonly isMigrated: boolean;
}

export interface SimulatedDatabase {
  /** Calls that a pool of connections could not have answered. */
  readonly problems: readonly string[];
  /** As a process of that build sees it. */
  storeOf(process: SimulatedProcess, build: ProgramBuild): Store;
  migrate(migration: Migration): void;
  /** Whether a process of that build may start. */
  accepts(build: ProgramBuild): boolean;
  /** As it is. */
  readonly truth: Store;
  /** The error of every call, of some calls, or of every write, until it is null again. */
  outage: 'unreachable' | 'flapping' | 'readonly' | 'full' | null;
  /** The process is to die, or to stop for longer than its leases, now. */
  onSingleFault: (kind: 'death' | 'stop', process: SimulatedProcess) => void;
  /** Calls of worker processes so far. */
  calls(): number;
  /** Rows of the database as it is. */
  rows(sql: string): ReadonlyArray<Readonly<Record<string, unknown>>>;
  keepCopy(): void;
  /** The copy takes the place of the database, while the processes go on. */
  goBack(): Promise<void>;
  close(): Promise<void>;
  /** Without closing it: a transaction may be under way that never ends. */
  abandon(): void;
}

export function openSimulatedDatabase(options: DatabaseOptions): SimulatedDatabase {
  const { conditions, startDelayMs, singleFault, isMigrated } = options;
  const first = takeEmptyDatabase();
  let engine = first;
  const copies: string[] = [];
  let opened = 0;
  let calls = 0;
  /** Calls that may be the one with the single fault. */
  let counted = 0;
  const { faults } = conditions;
  const settings = { startDelayMs, maxAttempts: MAX_ATTEMPTS, queueEventMaxUrls: 1000 };
  const inTransaction = new AsyncLocalStorage<true>();
  const inIndexer = new AsyncLocalStorage<true>();
  const problems: string[] = [];
  const bus = createBus(() => !conditions.isCalm && faults.lostWakeups);

  /** Every call of a process passes here: it may be late, fail, or succeed without an answer. */
  async function call<T>(kind: 'read' | 'write', work: (fails: () => void) => Promise<T>): Promise<T> {
    if (inTransaction.getStore() === true) problems.push(`a ${kind} waits for a second connection in a transaction`);
    if (currentProcess() === undefined) return work(() => undefined);
    const single = singleFaultNow(kind);
    if (single === 'stop') database.onSingleFault(single, currentProcess()!);
    if (single === 'late') await delayInProcess(integer(300, MAX_LATE_MS));
    await delayInProcess(lateness());
    failIfOut(kind);
    if (single === 'lost') throw unreachable(`${kind} lost`);
    const isLost = single === 'rolled-back' || (!conditions.isCalm && chance(faults.lostCalls));
    if (isLost && (kind === 'read' || (single === null && chance(0.5)))) throw unreachable(`${kind} lost`);
    const result = await work(() => {
      if (isLost) throw unreachable(`${kind} rolled back`);
    });
    if (kind === 'write') countCommit();
    trace(kind);
    if (single === 'death') database.onSingleFault(single, currentProcess()!);
    await delayInProcess(single === 'late-answer' ? integer(300, MAX_LATE_MS) : lateness());
    const isFlapping = database.outage === 'flapping' && chance(FLAPPING_SHARE);
    if (isFlapping || single === 'answer-lost' || (!conditions.isCalm && chance(faults.lostAnswers)))
      throw unreachable(`${kind} unanswered`);
    return result;
  }

  function singleFaultNow(kind: 'read' | 'write'): SingleFault['kind'] | null {
    if (currentProcess()?.isWorker !== true) return null;
    calls += 1;
    if (singleFault === null || (singleFault.of !== 'call' && singleFault.of !== kind)) return null;
    counted += 1;
    if (counted < singleFault.call || counted >= singleFault.call + (singleFault.times ?? 1)) return null;
    trace(`the single fault: ${singleFault.kind}`);
    return singleFault.kind;
  }

  function lateness(): number {
    if (inIndexer.getStore() === true && !conditions.isCalm && chance(0.3)) return integer(100, MAX_LATE_INDEXING_MS);
    return chance(0.6) ? 0 : integer(0, conditions.isCalm ? 2 : faults.maxDelayMs);
  }

  function failIfOut(kind: 'read' | 'write'): void {
    const { outage } = database;
    if (outage === 'unreachable') throw unreachable('outage');
    if (outage === 'flapping') {
      if (chance(FLAPPING_SHARE)) throw unreachable('outage');
    } else if (outage !== null && kind === 'write') throw failure(`database.${outage}`, outage);
  }

  /** When its last transaction has ended. */
  async function leave(old: SqliteEngine): Promise<void> {
    if (old === first && isMigrated) abandonDatabase();
    if (old === first) await old.transaction(async () => undefined);
    else await old.close();
  }

  function engineOf(before?: (tx: Executor) => Promise<void>): SqliteEngine {
    const reader: Executor = {
      all: (sql, values) => call('read', () => engine.reader.all(sql, values)),
      each: (statement, rows, scalars) => call('read', () => engine.reader.each(statement, rows, scalars)),
      changed: (statement, rows, scalars) => call('read', () => engine.reader.changed(statement, rows, scalars)),
    };
    return {
      now: virtualEpochMs,
      get writer() {
        return engine.writer;
      },
      reader,
      transaction: (work, flush) =>
        call('write', (fails) =>
          engine.transaction(async (tx) => {
            const result = await inTransaction.run(true, async () => {
              await before?.(tx);
              return work(tx);
            });
            // The commit fails: whatever the work has cached in the meantime is not in the database.
            fails();
            return result;
          }, flush),
        ),
      close: async () => undefined,
    };
  }

  function withFaults(store: Store, isSlow: boolean): Store {
    const { frontier, segments } = store;
    const claim: typeof frontier.claim = async (request) => {
      const claims = await frontier.claim(request);
      if (!conditions.isCalm && chance(faults.lateClaims)) await delayInProcess(integer(100, MAX_LATE_CLAIM_MS));
      return claims;
    };
    return {
      ...store,
      ...(faults.lateClaims > 0 ? { frontier: { ...frontier, claim } } : {}),
      ...(isSlow
        ? {
            segments: {
              ...segments,
              index: (limit) => inIndexer.run(true, () => segments.index(limit)),
              compact: (budgetMs) => inIndexer.run(true, () => segments.compact(budgetMs)),
            },
          }
        : {}),
    };
  }

  const openTruth = (): Store => createSqlStore(engineOf(), sqliteParts(engineOf()), settings);
  let truth = openTruth();
  const database: SimulatedDatabase = {
    problems,
    outage: null,
    onSingleFault: () => undefined,
    truth: new Proxy({} as Store, { get: (_, part) => Reflect.get(truth, part) as unknown }),
    storeOf(process, { createSqlStore: createStore, sqliteParts: partsOf, migrations }) {
      const own = engineOf();
      const requireSchema = createSchemaCheck(migrations);
      const checked = partsOf(engineOf(requireSchema));
      const claim: typeof checked.claim = (request, limits) => checked.claim(request, limits);
      const checks = isMigrated ? { claim, requireSchema } : {};
      const parts = { ...partsOf(own), ...checks, announcer: bus.join(process) };
      // One of them is slow: what it has read is indexed by another, and changes again.
      opened += 1;
      return withFaults(createStore(own, parts, settings), faults.slowIndexing && opened === 1);
    },
    migrate({ number, name, sql, hash }) {
      engine.writer.database.exec(sql);
      engine.writer.database.prepare(RECORD.replaceAll('$', '?')).run(number, name, hash, virtualEpochMs());
      trace(`migrated to ${number}`);
    },
    accepts({ migrations }) {
      const [newest] = database.rows('select max(number) as number from migrations');
      return Number(newest?.['number']) <= (migrations.at(-1)?.number ?? 0);
    },
    calls: () => calls,
    rows: (sql) => engine.writer.database.prepare(sql).all(),
    keepCopy() {
      const file = newDatabaseFile();
      engine.writer.database.exec(`vacuum into '${file}'`);
      copies.push(file);
      trace('copied the database');
    },
    async goBack() {
      const old = engine;
      engine = openSimulatedEngine(copies.at(-1)!);
      await leave(old);
      // As every program that remembers what is gone, the user's is started again.
      truth = openTruth();
      trace('the database went back');
    },
    async close() {
      await leave(engine);
      copies.forEach(removeDatabaseFile);
    },
    abandon() {
      abandonDatabase();
      copies.forEach(removeDatabaseFile);
    },
  };
  return database;
}

function unreachable(reason: string): Error {
  return failure('database.unreachable', reason);
}

function failure(code: ErrorCode, reason: string): Error {
  trace(`${code}: ${reason}`);
  return pinakesError(code, { reason: `simulated: ${reason}` });
}

/** Announcements between processes: late, and lost where the fault is enabled. */
function createBus(loses: () => boolean) {
  const members = new Map<SimulatedProcess, ReturnType<typeof createAnnouncer>>();
  return {
    join(process: SimulatedProcess): ReturnType<typeof createAnnouncer> {
      const announcer = createAnnouncer({
        maxIdleMs: () => MAX_IDLE_MS,
        publish(topic) {
          if (!PUBLISHED.includes(topic)) return;
          for (const [other, theirs] of members)
            if (other !== process && !other.isDead && !(loses() && chance(0.5)))
              at(virtualMs() + integer(0, 30), () => inProcess(other, () => theirs.hear(topic)));
        },
        onFirstSleep: () => undefined,
        close: async () => undefined,
      });
      members.set(process, announcer);
      return announcer;
    },
  };
}
