// Scores which files of packages a search puts first, and whether an answer has one of the quotes of its question.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const PackageQuestion = z.object({
  id: z.string(),
  ecosystem: z.enum(['npm', 'python', 'rust', 'go']),
  package: z.string(),
  version: z.string(),
  query: z.string(),
  kind: z.string(),
  /** Whether the query itself names the package, or a name that only it has. */
  named: z.boolean(),
  gold: z.array(z.object({ path: z.string(), rel: z.int(), aliases: z.array(z.string()).default([]) })),
  neutral: z.array(z.string()).default([]),
  evidence: z.array(z.object({ path: z.string(), quote: z.string() })),
});
export type PackageQuestion = z.infer<typeof PackageQuestion>;

export function readPackageQuestions(file: string): PackageQuestion[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => PackageQuestion.parse(JSON.parse(line)));
}

/** A file that a search found, best first; several passages of a file count once. */
interface FoundFile {
  readonly package: string;
  readonly path: string;
}

export interface FileAnswer {
  readonly files: readonly FoundFile[];
  /** The texts of answers, if the search gives any. */
  readonly first?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

type FileType = 'test' | 'document' | 'declarations' | 'generated' | 'source';

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|benchmarks?|bench|test-d)\/|[._-](?:test|spec|bench)\.|_test\.|\.test-d\./i;
const DOCUMENT =
  /\.(?:mdx?|rst|txt|adoc)$|(?:^|\/)(?:METADATA|PKG-INFO|README|CHANGELOG|CHANGES|HISTORY|UPGRADING|LICEN[CS]E|NOTICE)[^/]*$/i;
const GENERATED =
  /\.min\.|\.map$|(?:^|\/)(?:dist|build|umd|cjs|esm|lib-?es\d*|bundles?|prebuilds|deps|compiled)\/.*\.[mc]?jsx?$/;

/** Sources of other ecosystems than npm have the doc comments. */
export function fileType(path: string, ecosystem: PackageQuestion['ecosystem']): FileType {
  if (TEST.test(path)) return 'test';
  if (DOCUMENT.test(path)) return 'document';
  if (/\.d\.[mc]?ts$|\.pyi$/.test(path)) return 'declarations';
  if (GENERATED.test(path)) return 'generated';
  return ecosystem !== 'npm' && /\.(?:py|rs|go)$/.test(path) ? 'declarations' : 'source';
}

const CUT = 10;

/** Each 0 or 1, except `ndcg`. */
export function scoreAnswer(question: PackageQuestion, answer: FileAnswer): Record<string, number> {
  const ranked = distinctFiles(question, answer.files);
  const gains = ranked.slice(0, CUT).map(({ gain }) => gain);
  const ideal = question.gold.map(({ rel }) => rel).toSorted((left, right) => right - left);
  const at = gains.indexOf(2);
  const above = ranked.slice(0, at === -1 ? CUT : at);
  const noise = above.filter(({ path }) => !['document', 'declarations'].includes(fileType(path, question.ecosystem)));
  const answers = Object.entries(answer.answers ?? {}).map(
    ([budget, text]) => [`evidence@${budget}`, Number(hasQuote(question, text))] as const,
  );
  return {
    hit1: Number(at === 0),
    hit5: Number(at !== -1 && at < 5),
    hit10: Number(at !== -1),
    ndcg: discounted(gains) / discounted(ideal.slice(0, CUT)),
    noise: Number(noise.length > 0),
    ownPackageFirst: Number(ranked[0]?.isOwn ?? false),
    ...(answer.first === undefined ? {} : { 'evidence@first': Number(hasQuote(question, answer.first)) }),
    ...Object.fromEntries(answers),
  };
}

interface RankedFile {
  readonly path: string;
  readonly isOwn: boolean;
  readonly gain: number;
}

/** An alias counts as its file; a neutral file is left out. */
function distinctFiles(question: PackageQuestion, files: readonly FoundFile[]): readonly RankedFile[] {
  const gold = new Map(question.gold.map(({ path, rel }) => [path, rel]));
  const named = new Map(question.gold.flatMap(({ path, aliases }) => aliases.map((alias) => [alias, path] as const)));
  const ranked = new Map<string, RankedFile>();
  for (const file of files) {
    const isOwn = file.package === question.package;
    if (isOwn && question.neutral.includes(file.path)) continue;
    const path = isOwn ? (named.get(file.path) ?? file.path) : file.path;
    const key = `${file.package} ${path}`;
    if (!ranked.has(key)) ranked.set(key, { path, isOwn, gain: isOwn ? (gold.get(path) ?? 0) : 0 });
  }
  return [...ranked.values()];
}

function discounted(rels: readonly number[]): number {
  return rels.reduce((total, rel, at) => total + (2 ** rel - 1) / Math.log2(at + 2), 0);
}

/** Compared by ASCII letters and digits; a quote may have the targets of its links or not. */
function hasQuote({ evidence }: PackageQuestion, text: string): boolean {
  const letters = lettersOf(text);
  return evidence.some(({ quote }) =>
    [quote, quote.replaceAll(/\]\([^)]*\)/g, ']')].some((one) => letters.includes(lettersOf(one))),
  );
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
}
