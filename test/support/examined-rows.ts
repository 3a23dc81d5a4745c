// How many rows each statement of a store examines in PostgreSQL, by the plans that it executed: those of prepared statements too, which
// PostgreSQL plans for any parameters once they have been executed five times.

import pg from 'pg';
import type { Parameter, PostgresDriver } from '../../src/store/postgres/driver.ts';
import { createPgDriver } from '../../src/store/postgres/pg-driver.ts';

interface ExecutedPlan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly ExecutedPlan[];
}

export interface ExaminedStatement {
  readonly sql: string;
  readonly rows: number;
  /** The part of the plan that examined most of them. */
  readonly by: string;
}

const EXPLAIN = `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = off;
  set auto_explain.log_format = json; set auto_explain.log_level = notice; set jit = off`;

/** A driver with one connection. Needs a superuser, who may load the module. */
export async function createExplainingDriver(
  url: string,
): Promise<{ readonly driver: PostgresDriver; readonly examined: ExaminedStatement[] }> {
  const usual = createPgDriver({ url, poolSize: 1, onError: () => undefined });
  const client = new pg.Client({ connectionString: url });
  const examined: ExaminedStatement[] = [];
  client.on('notice', ({ message = '' }) => {
    const json = message.slice(message.indexOf('{'));
    if (!message.includes('plan:')) return;
    const { 'Query Text': sql, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: ExecutedPlan };
    examined.push({ sql, rows: rowsOf(plan), by: greatest(plan) });
  });
  await client.connect();
  await client.query(EXPLAIN);
  let free: Promise<void> = Promise.resolve();
  let statements = 0;
  const names = new Map<string, string>();
  const driver: PostgresDriver = {
    begin: usual.begin,
    connectDirect: null,
    async connect() {
      const before = free;
      const { promise, resolve: release } = Promise.withResolvers<void>();
      free = promise;
      await before;
      return {
        async query<Row>(text: string, values: readonly Parameter[]) {
          const name = names.get(text) ?? `p${(statements += 1)}`;
          names.set(text, name);
          const types = { getTypeParser };
          return (await client.query({ name, text, values: values as unknown[], types })).rows as Row[];
        },
        execute: async (text) => void (await client.query(text)),
        release: () => release(),
      };
    },
    async close() {
      await client.end();
      await usual.close();
    },
  };
  return { driver, examined };
}

const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (oid, format) =>
  oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);

function rowsOf(plan: ExecutedPlan): number {
  return nodesOf(plan).reduce((total, node) => total + ownRows(node), 0);
}

function greatest(plan: ExecutedPlan): string {
  const [most] = nodesOf(plan).toSorted((a, b) => ownRows(b) - ownRows(a));
  return most === undefined ? '' : `${most['Node Type']} ${most['Index Name'] ?? most['Relation Name'] ?? ''}`;
}

function nodesOf(plan: ExecutedPlan): readonly ExecutedPlan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** What a scan reads and a join compares. */
function ownRows(plan: ExecutedPlan): number {
  const isScan = plan['Relation Name'] !== undefined || plan['Index Name'] !== undefined;
  const discarded =
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  return ((isScan ? plan['Actual Rows'] : 0) + discarded) * plan['Actual Loops'];
}
