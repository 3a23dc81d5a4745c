// Pages of a list that is ordered by a growing number: the newest ones, or those next to a number in either direction.

import type { ListRange } from '../../port/journal.ts';
import type { Executor, Value } from '../engine/engine.ts';

export interface RangeSource {
  /** Columns and tables, up to `where`. */
  readonly select: string;
  /** The column that the list is ordered by. */
  readonly order: string;
  /** Columns and what they must be equal to; null leaves a column out. Each needs an index that ends with `order`. */
  readonly filters: Readonly<Record<string, Value>>;
}

/** Newest first, whichever direction was asked for. */
export async function readRange<Row>(
  reader: Executor,
  { select, order, filters }: RangeSource,
  { before, after, limit }: ListRange,
): Promise<Row[]> {
  const values: Value[] = [];
  const parameter = (value: Value): string => `$${values.push(value)}`;
  const isForward = after !== null;
  const conditions = Object.entries(filters)
    .filter(([, value]) => value !== null)
    .map(([column, value]) => `${column} = ${parameter(value)}`);
  if (isForward) conditions.push(`${order} > ${parameter(after)}`);
  else if (before !== null) conditions.push(`${order} < ${parameter(before)}`);
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const direction = isForward ? 'asc' : 'desc';
  const sql = `${select}${where} order by ${order} ${direction} limit ${parameter(limit)}`;
  const rows = await reader.all<Row>(sql, values);
  return isForward ? rows.toReversed() : rows;
}
