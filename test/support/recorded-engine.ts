// Records the statements that a store executes, to see what they read, and holds a transaction at a certain statement.

import type { Batch, Engine, Executor, KeyedBatch, Value } from '../../src/store/sql/engine/engine.ts';

export interface RecordedStatement {
  readonly sql: string;
  /** The rows of a batch, or the values of a plain statement as its only row. */
  readonly rows: ReadonlyArray<readonly Value[]>;
  /** The batch itself, if it is one. */
  readonly batch: Batch | null;
  readonly scalars: readonly Value[];
}

export interface EngineRecorder {
  readonly wrap: (engine: Engine) => Engine;
  /** What was executed since the last call. */
  readonly take: () => readonly RecordedStatement[];
  /** The next statement that contains the text waits until `release` is called. */
  readonly holdAt: (part: string) => { readonly reached: Promise<void>; readonly release: () => void };
}

interface Hold {
  readonly part: string;
  readonly reach: () => void;
  readonly until: Promise<void>;
}

export function createEngineRecorder(): EngineRecorder {
  let statements: RecordedStatement[] = [];
  let hold: Hold | null = null;

  async function whileHeld(sql: string): Promise<void> {
    if (hold === null || !sql.includes(hold.part)) return;
    const { reach, until } = hold;
    hold = null;
    reach();
    await until;
  }

  function recorded(executor: Executor): Executor {
    const record = (batch: Batch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []): void => {
      if (rows.length > 0) statements.push({ sql: batch.sql, rows, batch, scalars });
    };
    return {
      async all(sql, values = []) {
        statements.push({ sql, rows: [values], batch: null, scalars: values });
        await whileHeld(sql);
        return executor.all(sql, values);
      },
      async each(batch: Batch, rows, scalars) {
        record(batch, rows, scalars);
        await whileHeld(batch.sql);
        return executor.each(batch, rows, scalars);
      },
      async changed(batch: KeyedBatch, rows, scalars) {
        record(batch, rows, scalars);
        await whileHeld(batch.sql);
        return executor.changed(batch, rows, scalars);
      },
    };
  }

  return {
    wrap: (engine) => ({
      ...engine,
      reader: recorded(engine.reader),
      transaction: (work, flush) => engine.transaction((tx) => work(recorded(tx)), flush),
    }),
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    holdAt(part) {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: until, resolve: release } = Promise.withResolvers<void>();
      hold = { part, reach, until };
      return { reached, release };
    },
  };
}
