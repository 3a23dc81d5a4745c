// A store whose settlements are accepted whatever their fence: what the fence check is worth is what goes wrong here.

import type { Engine, Executor, KeyedBatch } from '../../src/store/sql/engine/engine.ts';

const FENCE_CHECK = ` and frontier.state = 1 and frontier.fence = r.fence`;
const ONLY_SETTLING = `settled_fence = r.fence`;

export function withoutFence(engine: Engine): Engine {
  return { ...engine, transaction: (work) => engine.transaction((tx) => work(unguarded(tx))) };
}

function unguarded(tx: Executor): Executor {
  return {
    all: (sql, values) => tx.all(sql, values),
    each: (statement, rows, scalars) => tx.each(statement, rows, scalars),
    changed: (statement, rows, scalars) => tx.changed(unfencedOf(statement), rows, scalars),
  };
}

/** Engines remember a statement by its identity, so each has one rewritten form. */
const rewritten = new Map<KeyedBatch, KeyedBatch>();

function unfencedOf(statement: KeyedBatch): KeyedBatch {
  if (!statement.sql.includes(ONLY_SETTLING)) return statement;
  let unfenced = rewritten.get(statement);
  if (unfenced === undefined) {
    if (!statement.sql.includes(FENCE_CHECK)) throw new Error('the fence check is not where this test takes it out');
    unfenced = {
      ...statement,
      key: statement.key.filter((name) => name !== 'fence'),
      sql: statement.sql.replace(FENCE_CHECK, ''),
    };
    rewritten.set(statement, unfenced);
  }
  return unfenced;
}
