// A store that accepts settlements with any fencing token: what goes wrong here is what the check prevents.

import type { Engine, Executor, KeyedBatch } from '../../src/store/sql/engine/engine.ts';
import { URL_STATE } from '../../src/store/sql/engine/states.ts';

const FENCE_CHECK = ` and frontier.state = ${URL_STATE.claimed} and frontier.fence = r.fence
     and frontier.worker = r.worker`;
const SETTLEMENT = `settled_fence = r.fence`;

export function withoutFence(engine: Engine): Engine {
  return { ...engine, transaction: (work) => engine.transaction((tx) => work(withoutCheck(tx))) };
}

function withoutCheck(tx: Executor): Executor {
  return {
    all: (sql, values) => tx.all(sql, values),
    each: (statement, rows, scalars) => tx.each(statement, rows, scalars),
    changed: (statement, rows, scalars) => tx.changed(unfencedOf(statement), rows, scalars),
  };
}

/** Engines cache a statement by its identity, so each has one rewritten form. */
const rewritten = new Map<KeyedBatch, KeyedBatch>();

function unfencedOf(statement: KeyedBatch): KeyedBatch {
  if (!statement.sql.includes(SETTLEMENT)) return statement;
  let unfenced = rewritten.get(statement);
  if (unfenced === undefined) {
    if (!statement.sql.includes(FENCE_CHECK)) throw new Error('the fencing check is not where this test expects it');
    unfenced = {
      ...statement,
      key: statement.key.filter((name) => name !== 'fence'),
      sql: statement.sql.replace(FENCE_CHECK, ''),
    };
    rewritten.set(statement, unfenced);
  }
  return unfenced;
}
