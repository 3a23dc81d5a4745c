// The plain query that ours is measured against: an OR of the words in FTS5, ordered by bm25(), limit 50, over the same chunks
// and the same tokens. The file is created if it does not exist.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tokenize } from '../../src/core/lexical/tokenize/tokenize.ts';

interface ChunkTexts {
  readonly pk: number;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

export interface PlainFts {
  readonly chunks: number;
  readonly search: (words: readonly string[]) => void;
}

export function openPlainFts(library: string, file: string): PlainFts {
  if (!existsSync(file)) buildFts(library, file);
  const fts = new DatabaseSync(file, { readOnly: true });
  fts.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
  const find = fts.prepare(`select rowid from words where words match ? order by bm25(words) limit 50`);
  const { n } = fts.prepare('select count(*) as n from words_docsize').get() as { n: number };
  return {
    chunks: n,
    search: (words) => {
      find.all([...new Set(words)].map((word) => `"${word}"`).join(' OR '));
    },
  };
}

function buildFts(library: string, file: string): void {
  const fts = new DatabaseSync(file);
  fts.exec(`pragma journal_mode = off; pragma synchronous = off`);
  fts.exec(`create virtual table words using fts5 (title, headings, body, content = '', tokenize = 'unicode61')`);
  fts.exec('begin');
  const insert = fts.prepare('insert into words (rowid, title, headings, body) values (?, ?, ?, ?)');
  const from = new DatabaseSync(join(library, 'pinakes.db'), { readOnly: true });
  const chunks = from.prepare(`select c.pk, p.title, c.headings, c.text from chunks c
    join pages p on p.version_id = c.version_id and p.url_key = c.url_key`);
  for (const row of chunks.iterate()) {
    const { pk, title, headings, text } = row as unknown as ChunkTexts;
    insert.run(pk, ...[title, headings, text].map((part) => tokenize(part).join(' ')));
  }
  fts.exec('commit');
  fts.close();
  from.close();
}
