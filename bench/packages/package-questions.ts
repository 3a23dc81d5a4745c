// node bench/packages/package-questions.ts PACKAGES [--questions FILE] [--library DIR] [--folders DIR] [--misses] [--write]
// Asks the questions of test/data/quality/packages about the projects below PACKAGES (`npm`, `python`, `rust`, `go`), with the package
// as the source and without: in a library that is synced, in one whose sources are the npm packages as plain folders (with --folders),
// and by BM25 of SQLite over whole files. A library that is not there is built; its cost is part of the result.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getWordTable } from '../../src/compose/word-table.ts';
import { answerPassages, sourceNamesById, type Passage } from '../../src/core/answer/answer-passages.ts';
import { pathOfFileUrl } from '../../src/core/files/file-url.ts';
import { answerMarkdown } from '../../src/core/answer/cited-markdown.ts';
import { retrievePages } from '../../src/core/rank/lexical-retrieval.ts';
import type { Store } from '../../src/store/port.ts';
import { indexReaderOf } from '../../test/support/index-reader.ts';
import { openLibraryReader } from '../support/read-library.ts';
import { watch } from '../support/watch-process.ts';
import { writeResult } from '../support/write-result.ts';
import { createFileBaseline } from './file-baseline.ts';
import { readPackageQuestions, scoreAnswer, type FileAnswer, type PackageQuestion } from './score-files.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: join(import.meta.dirname, '../../test/data/quality/packages/dev.jsonl') },
    library: { type: 'string' },
    folders: { type: 'string' },
    misses: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const [packages = ''] = positionals;
const MAIN = join(import.meta.dirname, '../../src/main.ts');
const ECOSYSTEMS = ['npm', 'python', 'rust', 'go'] as const;
const PREFIXES = { npm: 'npm', python: 'pypi', rust: 'cargo', go: 'go' } as const;
type Ecosystem = PackageQuestion['ecosystem'];
type Answerer = (question: PackageQuestion, isNamed: boolean) => Promise<FileAnswer>;

const questions = readPackageQuestions(options.questions);
const present = ECOSYSTEMS.filter((one) => existsSync(join(packages, one)));

/** As a sync calls it: names of Python packages are in lower case. */
function sourceOf({ ecosystem, package: name }: Pick<PackageQuestion, 'ecosystem' | 'package'>): string {
  return `${PREFIXES[ecosystem]}:${ecosystem === 'python' ? name.toLowerCase() : name}`;
}

interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Null for a library that is there already. */
async function build(directory: string, commands: ReadonlyArray<readonly string[]>): Promise<Cost | null> {
  if (existsSync(directory)) return null;
  const settings = { PINAKES_DATA_DIR: directory, PINAKES_OWNER_MODE: 'in-process', PINAKES_LOG_LEVEL: 'warn' };
  let total = { seconds: 0, cpuSeconds: 0 };
  for (const command of commands) {
    const { seconds, cpuMs } = await watch([MAIN, ...command], { ...process.env, ...settings });
    total = { seconds: total.seconds + seconds, cpuSeconds: total.cpuSeconds + cpuMs / 1000 };
  }
  return { seconds: Number(total.seconds.toFixed(1)), cpuSeconds: Number(total.cpuSeconds.toFixed(1)) };
}

/** Enough that ten files are among the passages and the pages after them. */
const LARGEST = { budget: 8000, limit: 50, offset: 0 };
const BUDGETS = [1000, 2000] as const;

/** Files in the order of their passages; after them, pages of which the answer has no passage. */
async function createLibrarySearch(store: Store): Promise<Answerer> {
  const index = indexReaderOf(store);
  const sources = await store.sources.list();
  const packageOf = new Map(questions.map((question) => [sourceOf(question), question.package]));
  const words = getWordTable();
  return async (question, isNamed) => {
    const isSearched = isNamed
      ? (name: string) => name === sourceOf(question)
      : (name: string) => name.startsWith(`${PREFIXES[question.ecosystem]}:`);
    const searched = sources.filter(({ name }) => isSearched(name));
    const versions = searched.flatMap((source) => source.versions.map(({ id }) => id));
    const found = await retrievePages(index, question.query, { versions, names: sourceNamesById(searched), words });
    const answer = async (budget: number): Promise<readonly Passage[]> =>
      (await answerPassages(index, found, { ...LARGEST, sources, budget })).passages;
    const [all, ...answers] = await Promise.all([LARGEST.budget, ...BUDGETS].map(answer));
    const pages = found.pages.map(({ candidate }) => candidate);
    return {
      files: [...(all ?? []), ...pages].map(({ source, url }) => ({
        package: packageOf.get(source) ?? source,
        path: pathOfFileUrl(url.replace(/#.*$/, '')) ?? url,
      })),
      first: answerMarkdown(answers.at(-1)?.slice(0, 1) ?? []),
      answers: Object.fromEntries(BUDGETS.map((budget, at) => [budget, answerMarkdown(answers[at] ?? [])])),
    };
  };
}

type Scores = Readonly<Record<string, number>>;

function means(rows: readonly Scores[]): Scores {
  const mean = (name: string): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0) / rows.length;
  const names = Object.keys(rows[0] ?? {}).map((name) => [name, Number(mean(name).toFixed(3))] as const);
  return { n: rows.length, ...Object.fromEntries(names) };
}

interface Measured {
  readonly named: Readonly<Record<string, Scores>>;
  readonly notNamed: Readonly<Record<string, Scores>>;
}

async function measure(answerer: Answerer, ecosystems: readonly Ecosystem[], printsMisses = false): Promise<Measured> {
  const requested = questions.filter(({ ecosystem }) => ecosystems.includes(ecosystem));
  const byEcosystem = async (isNamed: boolean) => {
    const rows: Array<{ readonly ecosystem: Ecosystem; readonly scores: Scores }> = [];
    for (const question of requested) {
      const answer = await answerer(question, isNamed);
      const scores = scoreAnswer(question, answer);
      rows.push({ ecosystem: question.ecosystem, scores });
      if (printsMisses && (scores['hit1'] === 0 || scores['evidence@2000'] === 0)) printMiss(question, answer, scores);
    }
    const groups = Map.groupBy(rows, ({ ecosystem }) => ecosystem);
    return Object.fromEntries(Array.from(groups, ([name, some]) => [name, means(some.map(({ scores }) => scores))]));
  };
  return { named: await byEcosystem(true), notNamed: await byEcosystem(false) };
}

const SHOWN = 5;

function printMiss(
  question: PackageQuestion,
  { files }: FileAnswer,
  { ndcg, 'evidence@2000': evidence }: Scores,
): void {
  const { id, package: own, kind, query, gold } = question;
  const wanted = gold.filter(({ rel }) => rel === 2).map(({ path }) => path);
  const shown = files.map((file) => (file.package === own ? file.path : `${file.package} ${file.path}`));
  console.log(`${id} ${own} ${kind} ndcg ${ndcg?.toFixed(2)} evidence ${evidence} | ${query}`);
  console.log(`   gold ${wanted.join(', ')}\n   got  ${[...new Set(shown)].slice(0, SHOWN).join(', ')}`);
}

async function measureLibrary(directory: string, ecosystems: readonly Ecosystem[]): Promise<Measured> {
  const store = await openLibraryReader(directory);
  try {
    return await measure(await createLibrarySearch(store), ecosystems, options.misses);
  } finally {
    await store.close();
  }
}

const npmPackages = new Set(questions.filter(({ ecosystem }) => ecosystem === 'npm').map((one) => one.package));
const synced = options.library ?? join(packages, '.library');
const syncs = present.map((one) => ['sync', join(packages, one)]);
const costs: Record<string, Cost | null> = { synced: await build(synced, syncs) };
const searches: Record<string, Measured> = { synced: await measureLibrary(synced, present) };
for (const files of ['all', 'documents'] as const)
  searches[`bm25 ${files}`] = await measure(createFileBaseline(packages, questions, files), present);
if (options.folders !== undefined) {
  const add = (name: string): readonly string[] => {
    const source = sourceOf({ ecosystem: 'npm', package: name });
    return ['add', join(packages, 'npm/node_modules', name), '--name', source, '--wait'];
  };
  costs['folders'] = await build(options.folders, [...npmPackages].map(add));
  searches['folders'] = await measureLibrary(options.folders, ['npm']);
}
const result = { costs, searches };
if (options.write) writeResult('package-questions', result);
else console.log(JSON.stringify(result, null, 1));
