// node bench/store/storage.ts DATA_DIR [NAME]: the size of a library: bytes of each table with its indexes, per page and per chunk. Reads a
// crawled SQLite library that is not in use.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { writeResult } from '../support/write-result.ts';

const [directory = '', name = 'storage'] = process.argv.slice(2);
const database = new DatabaseSync(join(directory, 'pinakes.db'), { readOnly: true });
const count = (sql: string): number => (database.prepare(sql).get() as { n: number }).n;

const pages = count('select count(*) n from pages');
const chunks = count('select count(*) n from chunks');
const bytes = count('select page_count * page_size n from pragma_page_count(), pragma_page_size()');
const tables = database
  .prepare(
    `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes
     from dbstat('main', 1) s left join sqlite_master m on m.name = s.name group by 1 order by 2 desc`,
  )
  .all() as unknown as ReadonlyArray<{ readonly name: string; readonly bytes: number }>;

writeResult(name, {
  engine: 'sqlite',
  sources: count('select count(*) n from sources'),
  pages,
  chunks,
  urls: count('select count(*) n from frontier'),
  chunksPerPage: round(chunks / pages),
  textBytesPerPage: Math.round(count('select sum(length(cast(text as blob))) n from documents') / pages),
  bytes,
  bytesPerPage: Math.round(bytes / pages),
  tables: Object.fromEntries(
    tables
      .filter(({ bytes: size }) => size / bytes >= 0.001)
      .map(({ name: table, bytes: size }) => [
        table,
        { bytesPerPage: Math.round(size / pages), share: round(size / bytes) },
      ]),
  ),
});

function round(measurement: number): number {
  return Math.round(measurement * 1000) / 1000;
}
