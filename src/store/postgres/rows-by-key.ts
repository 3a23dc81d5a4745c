// Statements over the rows of a batch, in a form whose plan depends on no statistics.
//
// Statistics may be missing or old: those of a table that has just grown say that a condition such as `version_id = 1 and state = 0` holds
// for a single row. The planner then begins with all rows that satisfy it, here 100,000, and compares each with the whole batch, which
// took 37 s instead of 10 ms. So whatever the planner could estimate is hidden: parameters become columns of the batch, other
// conditions the result of a `case`, and the length of the arrays that of an unknown array. What remains is the lookup of each row
// of the batch by the columns that are compared with it.

/** `from t, {rows} r where …` or `update t … from {rows} r where …`: no other table whose own conditions matter. */
const OVER_ONE_TABLE = /^(?:update\s|select\s.*\sfrom \w+(?: \w+)?, \{rows\} r\s+where\s)/s;
const ROWS_WHERE = /\{rows\} r\s+where\s+/;
const BY_BATCH = /^[\w.]+ = r\.\w+$/;
const BY_PARAMETER = /^([\w.]+) = (\$(\d+)::\w+)$/;
const PART = /'[^']*'|\(|\)|\s+and\s+|\s+(?:returning|group by|order by|limit|on conflict)\s|$/g;

/** Null for a statement that is written in another form. The parameters of `sql` have types. */
export function byKeysOnly(
  sql: string,
  arrays: { readonly names: readonly string[]; readonly values: readonly string[] },
): string | null {
  const where = ROWS_WHERE.exec(sql);
  if (where === null || !OVER_ONE_TABLE.test(sql) || sql.includes('{then ')) return null;
  const { conditions, end } = readConditions(sql, where.index + where[0].length);
  const scalars = new Map<string, string>();
  const keys: string[] = [];
  const others: string[] = [];
  for (const condition of conditions) {
    const [, column, parameter = '', nth] = BY_PARAMETER.exec(condition) ?? [];
    if (column !== undefined) {
      scalars.set(`scalar_${nth}`, parameter);
      keys.push(`${column} = r.scalar_${nth}`);
    } else if (BY_BATCH.test(condition)) keys.push(condition);
    else others.push(condition);
  }
  if (others.length > 0) keys.push(`case when ${others.join(' and ')} then true else false end`);
  const columns = [...Array.from(scalars, ([name, parameter]) => `${parameter} as ${name}`), 'r.*'];
  const unknown = arrays.values.map((value) => `(select ${value})`);
  const rows = `(select ${columns.join(', ')} from unnest(${unknown.join(', ')}) as r (${arrays.names.join(', ')}) offset 0) r`;
  return `${sql.slice(0, where.index)}${rows} where ${keys.join(' and ')}${sql.slice(end)}`;
}

/** The conditions that are joined by `and`, and where they end. */
function readConditions(sql: string, start: number): { readonly conditions: readonly string[]; readonly end: number } {
  const conditions: string[] = [];
  let first = start;
  let depth = 0;
  for (const { 0: part, index } of sql.slice(start).matchAll(PART)) {
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
    if (depth > 0 || part === ')' || part.startsWith("'")) continue;
    const at = start + index;
    conditions.push(sql.slice(first, at).trim());
    if (part.trim() !== 'and') return { conditions, end: at };
    first = at + part.length;
  }
  return { conditions, end: sql.length };
}
