import { expect, test } from 'vitest';
import { byKeysOnly } from './rows-by-key.ts';

const ARRAYS = { names: ['key', 'n'], values: ['$3::bytea[]', '$4::bigint[]'] };
const ROWS = 'unnest((select $3::bytea[]), (select $4::bigint[])) as r (key, n) offset 0) r';

test('a statement keeps the columns of the batch as its only conditions that can be estimated', () => {
  const sql = `update t set n = r.n, note = 'a\tb' from {rows} r
    where t.version = $1::bigint and t.key = r.key and (t.state = 0 or t.n > $2::bigint) and t.note <> 'x and (y' returning t.key`;
  expect(byKeysOnly(sql, ARRAYS)).toBe(
    `update t set n = r.n, note = 'a\tb' from (select $1::bigint as scalar_1, r.* from ${ROWS} where t.version = r.scalar_1 and t.key = r.key and case when (t.state = 0 or t.n > $2::bigint) and t.note <> 'x and (y' then true else false end returning t.key`,
  );
});

test('a selection from one table has the same form', () => {
  const sql = 'select min(t.n) from t, {rows} r where t.key = r.key group by t.key';
  expect(byKeysOnly(sql, ARRAYS)).toBe(
    `select min(t.n) from t, (select r.* from ${ROWS} where t.key = r.key group by t.key`,
  );
});

test.each([
  'insert into t (key) select r.key from {rows} r where true',
  'select t.n from {rows} r {then t where t.key = r.key} where t.n > 0',
  'delete from t where key in (select r.key from {rows} r)',
  'select u.n from t join u on u.id = t.id, {rows} r where t.key = r.key',
])('another form is left as it is: %s', (sql) => {
  expect(byKeysOnly(sql, ARRAYS)).toBeNull();
});
