// A plain search to compare with: BM25 of SQLite over whole files of packages, with the stemmer of Porter and without stop words.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileType, type FileAnswer, type PackageQuestion } from './score-files.ts';

const STOP_WORDS = new Set(
  'a an and are as at be been but by can could do does for from get had has have how i if in into is it its just me my of on or our out so some than that the their them then there these they this to too use used using via want was we were what when where which while who why will with without would you your'.split(
    ' ',
  ),
);
const MAX_BYTES = 4_000_000;
const MAX_RESULTS = 60;

type BaselineSearch = (question: PackageQuestion, isNamed: boolean) => Promise<FileAnswer>;

/** `documents`: Markdown and declarations, and outside npm sources without tests. */
export function createFileBaseline(
  packages: string,
  questions: readonly PackageQuestion[],
  kinds: 'all' | 'documents',
): BaselineSearch {
  const db = new DatabaseSync(':memory:');
  db.exec(`create table file (id integer primary key, ecosystem, package, path);
    create virtual table words using fts5(path, body, tokenize = 'porter unicode61', content = '')`);
  const addFile = db.prepare('insert into file (ecosystem, package, path) values (?, ?, ?)');
  const addWords = db.prepare('insert into words (rowid, path, body) values (?, ?, ?)');
  const requested = new Map(questions.map((question) => [question.package, question]));
  db.exec('begin');
  for (const question of requested.values()) {
    const { ecosystem, package: name } = question;
    for (const [path, full] of filesOf(packages, question)) {
      const type = fileType(path, ecosystem);
      if (kinds === 'documents' && type !== 'document' && type !== 'declarations') continue;
      const text = readText(full);
      if (text === null) continue;
      const { lastInsertRowid } = addFile.run(ecosystem, name, path);
      addWords.run(lastInsertRowid, path, text);
    }
  }
  db.exec('commit');
  const find = (where: string) =>
    db.prepare(
      `select file.package, file.path from words join file on file.id = words.rowid where words match ? and file.${where} order by bm25(words, 2.0, 1.0) limit ${MAX_RESULTS}`,
    );
  const [inPackage, inEcosystem] = [find('package = ?'), find('ecosystem = ?')];
  return async (question, isNamed) => {
    const rows = isNamed
      ? inPackage.all(matchOf(question.query), question.package)
      : inEcosystem.all(matchOf(question.query), question.ecosystem);
    return { files: rows.map((row) => ({ package: String(row['package']), path: String(row['path']) })) };
  };
}

function matchOf(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(content.length === 0 ? words : content)].map((word) => `"${word}"`).join(' OR ');
}

/** Null for a file that is not text, or too long. */
function readText(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size > MAX_BYTES) return null;
  const bytes = readFileSync(path);
  return bytes.subarray(0, 4096).includes(0) ? null : bytes.toString('utf8');
}

/** Paths in the package, and on the disk. */
function* filesOf(
  packages: string,
  { ecosystem, package: name, version }: PackageQuestion,
): Generator<readonly [string, string]> {
  if (ecosystem === 'python') {
    const site = join(packages, 'python/.venv/lib/python3.11/site-packages');
    const record = readFileSync(join(site, `${name}-${version}.dist-info`, 'RECORD'), 'utf8');
    for (const line of record.split('\n').filter(Boolean)) {
      const path = line.split(',')[0] ?? '';
      yield [path, join(site, path)];
    }
    return;
  }
  const folders = {
    npm: `npm/node_modules/${name}`,
    rust: `rust/.cargo/registry/src/registry-debian/${name}-${version}`,
    go: `go/go/pkg/mod/${name}@v${version}`,
  };
  const root = join(packages, folders[ecosystem]);
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') open.push(full);
      else if (!entry.isDirectory()) yield [relative(root, full), full];
    }
  }
}
