// node bench/packages/upgrades.ts [PACKAGE…]: ten upgrades of npm packages as `pinakes diff` reports them: which items of the upgrade guides
// are in the report, whether reported removals are true, whether `--used-in` names the lines that the compiler rejects, and the size of
// what an agent reads. Packages and library are kept in a cache below the temporary folder. Run `npm run build` before; needs the registry.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultText } from '../../src/serve/mcp/result-text.ts';
import { countTokens } from '../../test/support/count-tokens.ts';
import { writeResult } from '../support/write-result.ts';
import { checkRemovals, programOf, rejectedLines, type ReportedRemoval } from './upgrades/compiler-verdict.ts';
import { DEVELOPMENT_GUIDES, type UpgradeGuide } from './upgrades/guide-items.table.ts';
import { FURTHER_DEVELOPMENT_GUIDES, HELD_OUT_GUIDES } from './upgrades/more-guide-items.table.ts';

/** These were not looked at before their first measurement, at e0678dbba3ca: 73 % of the items and 53 % of the lines. They have been since. */
const HELD_OUT = new Set(['undici', 'yaml', 'fastify']);
const UPGRADES: ReadonlyArray<readonly [name: string, before: string, after: string, others?: readonly string[]]> = [
  ['zod', '3.25.76', '4.6.7'],
  ['hono', '3.12.12', '4.13.19'],
  ['commander', '14.0.3', '15.1.0'],
  ['ai', '6.0.326', '7.0.173'],
  ['next', '15.5.29', '16.4.6', ['react@19', 'react-dom@19', '@types/react@19', '@types/react-dom@19']],
  ['vitest', '4.1.12', '5.1.0'],
  ['kysely', '0.28.18', '0.29.9'],
  ['undici', '7.30.2', '8.12.4'],
  ['yaml', '1.10.3', '2.9.1'],
  ['fastify', '4.29.1', '5.12.8'],
];
const BUDGET = 2000;

const cache = join(tmpdir(), 'pinakes-bench-upgrades');
const program = process.env['TEST_PROGRAM'] ?? join(import.meta.dirname, '../../dist/program/main.js');
const guides = [...DEVELOPMENT_GUIDES, ...FURTHER_DEVELOPMENT_GUIDES, ...HELD_OUT_GUIDES];
const named = process.argv.slice(2);
const rows = UPGRADES.filter(([name]) => named.length === 0 || named.includes(name)).map((upgrade) => measure(upgrade));
const result = {
  development: totals(rows.filter(({ isHeldOut }) => !isHeldOut)),
  heldOut: totals(rows.filter(({ isHeldOut }) => isHeldOut)),
  all: totals(rows),
  rows,
};
if (named.length === 0) writeResult('upgrades', result);
else console.log(JSON.stringify(result, null, 2));

interface Report extends Record<string, unknown> {
  readonly removed: readonly ReportedRemoval[];
  readonly uses: ReadonlyArray<{ readonly line: number }>;
}

function measure([name, before, after, others = []]: (typeof UPGRADES)[number]) {
  const folders = [before, after].map((version) => install(name, version, others)) as [string, string];
  for (const version of [before, after]) addVersion(name, version);
  const { file, text } = programOf(name);
  const project = join(cache, name, 'project');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, file), text);
  const compared = ['diff', `npm:${name}`, before, after, '--used-in', project];
  const whole = run(...compared, '--budget', '1000000') as Report;
  const agent = run('diff', `npm:${name}`, before, after, '--budget', String(BUDGET)) as Report;
  const items = guideItems(
    guides.find((guide) => guide.package === name),
    whole,
  );
  const verdicts = checkRemovals(folders, whole.removed);
  const checked = verdicts.filter(({ isTrue }) => isTrue !== null);
  return {
    package: name,
    before,
    after,
    isHeldOut: HELD_OUT.has(name),
    counts: whole['counts'],
    ...items,
    removals: whole.removed.length,
    checkedRemovals: checked.length,
    trueRemovals: checked.filter(({ isTrue }) => isTrue).length,
    falseRemovals: checked.filter(({ isTrue }) => isTrue === false).map(({ symbol }) => symbol),
    ...usesOf(whole, folders, file, text),
    agentTokens: countTokens(resultText('compare_versions', agent)),
  };
}

function guideItems(guide: UpgradeGuide | undefined, report: Report) {
  const entries = Object.values(report).flatMap((list) =>
    Array.isArray(list) ? list.map((entry: object) => Object.values(entry).join(' ')) : [],
  );
  const has = (entry: string, word: string): boolean =>
    new RegExp(`(?<![\\w$])${RegExp.escape(word)}(?![\\w$])`, 'i').test(entry);
  const all = guide?.items ?? [];
  const missed = all.filter(({ words }) => !entries.some((entry) => words.every((word) => has(entry, word))));
  return {
    guide: guide?.source ?? null,
    items: all.length,
    itemsFound: all.length - missed.length,
    itemsMissed: missed.map(({ item }) => item),
  };
}

function usesOf(report: Report, [before, after]: readonly [string, string], file: string, text: string) {
  const clean = rejectedLines(before, file, text);
  if (clean.lines.size > 0)
    throw new Error(`${file} does not compile with ${before}: line ${[...clean.lines].join(', ')}`);
  const { lines, consequences } = rejectedLines(after, file, text);
  const ours = new Set(report.uses.map(({ line }) => line));
  const found = [...lines].filter((line) => ours.has(line));
  const missed = [...lines].filter((line) => !ours.has(line));
  const wrong = [...ours].filter((line) => !lines.has(line) && !consequences.has(line));
  return {
    rejectedLines: lines.size,
    consequences: consequences.size,
    linesFound: found.length,
    linesMissed: missed.toSorted((left, right) => left - right),
    reportedLines: ours.size,
    linesWrong: wrong.toSorted((left, right) => left - right),
  };
}

function totals(measured: readonly Row[]) {
  const sum = (pick: (row: Row) => number): number => measured.reduce((total, row) => total + pick(row), 0);
  const share = (part: number, of: number): number | null => (of === 0 ? null : Number((part / of).toFixed(4)));
  return {
    upgrades: measured.length,
    guides: measured.filter(({ guide }) => guide !== null).length,
    items: sum(({ items }) => items),
    itemsShare: share(
      sum(({ itemsFound }) => itemsFound),
      sum(({ items }) => items),
    ),
    removals: sum(({ removals }) => removals),
    trueRemovalsShare: share(
      sum(({ trueRemovals }) => trueRemovals),
      sum(({ checkedRemovals }) => checkedRemovals),
    ),
    rejectedLines: sum(({ rejectedLines: lines }) => lines),
    linesFoundShare: share(
      sum(({ linesFound }) => linesFound),
      sum(({ rejectedLines: lines }) => lines),
    ),
    linesWrongShare: share(
      sum(({ linesWrong }) => linesWrong.length),
      sum(({ reportedLines }) => reportedLines),
    ),
    maxAgentTokens: Math.max(0, ...measured.map(({ agentTokens }) => agentTokens)),
  };
}

type Row = ReturnType<typeof measure>;

function install(name: string, version: string, others: readonly string[]): string {
  const folder = join(cache, name, version);
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--silent'];
  execFileSync('npm', ['install', ...flags, `${name}@${version}`, '@types/node@24', ...others], { cwd: folder });
  return folder;
}

/** A version that is in the library stays as it was read: delete the cache after a change of the package readers. */
function addVersion(name: string, version: string): void {
  const done = join(cache, name, `${version}.added`);
  if (existsSync(done)) return;
  run('add', `npm:${name}@${version}`, '--wait');
  writeFileSync(done, '');
}

function run(...args: readonly string[]): unknown {
  const env = { ...process.env, PINAKES_DATA_DIR: join(cache, 'library'), PINAKES_OWNER_MODE: 'in-process' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args, '--json'], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`pinakes ${args.join(' ')} failed with ${status}: ${stderr.slice(-500)}`);
  return args[0] === 'diff' ? JSON.parse(stdout) : null;
}
