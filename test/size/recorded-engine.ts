// Records the statements that a store executes, to see what they read.

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
  take(): readonly RecordedStatement[];
}

export function createEngineRecorder(): EngineRecorder {
  let statements: RecordedStatement[] = [];

  function recorded(executor: Executor): Executor {
    const record = (batch: Batch, rows: ReadonlyArray<readonly Value[]>, scalars: readonly Value[] = []): void => {
      if (rows.length > 0) statements.push({ sql: batch.sql, rows, batch, scalars });
    };
    return {
      all(sql, values = []) {
        statements.push({ sql, rows: [values], batch: null, scalars: values });
        return executor.all(sql, values);
      },
      each(batch: Batch, rows, scalars) {
        record(batch, rows, scalars);
        return executor.each(batch, rows, scalars);
      },
      changed(batch: KeyedBatch, rows, scalars) {
        record(batch, rows, scalars);
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
  };
}
