// The checks of facts and of results pass where documentation and repository agree, and report each planted disagreement.

import { expect, test } from 'vitest';
import { plantTree } from '../../support/planted-tree.ts';

const TRUE_STATEMENTS = {
  'ARCHITECTURE.md': `### \`src/core\`

| folder | question |
| --- | --- |
| \`core/model\` | What? |

### The stages: how?

| folder | question |
| --- | --- |
| \`fetch\` | What? |
| \`store\` | Where? |

### The rest

| \`main.ts\`, \`start.ts\` | How? |

Outside \`src\`: \`web\` (the dashboard; \`api\` fetches,
\`views\` are the screens), \`docs\` (\`docs/site\` has packages).

## Who may import whom?

\`nowhere\`

## Where do I put …

| what | where |
| --- | --- |
| a noun | \`core/model/page.ts\`, and \`name\` in \`docs/site\` |
`,
  'CONTRIBUTING.md': 'No default exports. No barrels except the\n  entries: `src/index.ts` and `src/ports.ts`. More.\n',
  'docs/concepts.md': '| **stage** | Does I/O: `fetch`, `store`. |\n',
  'docs/decisions/README.md': `## One

| 0001 | [First](0001-first.md) |  |
| 0005 | [Fifth](0005-fifth.md) |  |

## Two

| 0004 | [Fourth](0004-fourth.md) |  |
`,
  'docs/decisions/0001-first.md': '# 0001. First\n',
  'docs/decisions/0004-fourth.md': '# 0004. Fourth\n',
  'docs/decisions/0005-fifth.md': '# 0005. Fifth\n',
  'docs/site/page.md': 'It has 2 invariants.\n',
  'src/core/model/page.ts': 'export const page = 1;\n',
  'src/fetch/port.ts': 'export const port = 1;\n',
  'src/index.ts': "// The package.\n\nexport { page } from './core/model/page.ts';\n",
  'src/main.ts': "import './index.ts';\n",
  'src/ports.ts': "export type {\n  Port,\n} from './fetch/port.ts';\nexport * from './index.ts';\n",
  'src/start.ts': "export { page } from './index.ts';\nexport const start = 1;\n",
  'src/store/sql/engine/invariants.table.ts':
    "export const all = [\n  {\n    id: 'I01',\n  },\n  {\n    id: 'I02',\n  },\n];\n",
  'web/api/a.ts': '',
  'web/views/a.ts': '',
};

function check(changes: Readonly<Record<string, string>>) {
  const tree = plantTree({
    copied: ['scripts/check-facts.ts', 'scripts/rules/project-files.ts'],
    packages: false,
    files: { ...TRUE_STATEMENTS, ...changes },
  });
  tree.run('git init --quiet .');
  return tree.run('node scripts/check-facts.ts');
}

type PlantedFile = keyof typeof TRUE_STATEMENTS;

test('facts that are true pass', () => {
  expect(check({})).toMatchObject({ status: 0, stderr: '' });
});

test.each<readonly [message: string, file: PlantedFile, from: string, to: string]>([
  ['src/core/nouns does not exist', 'ARCHITECTURE.md', 'core/model', 'core/nouns'],
  ['src/core/model has no question', 'ARCHITECTURE.md', '| `core/model` | What? |', ''],
  ['web/parts does not exist', 'ARCHITECTURE.md', '`views`', '`parts`'],
  ['core/model/noun.ts does not exist', 'ARCHITECTURE.md', 'core/model/page.ts', 'core/model/noun.ts'],
  ['the stages are fetch, store', 'docs/concepts.md', ', `store`', ''],
  ['0004-fourth.md is not in the index once', 'docs/decisions/README.md', '| 0004 |', '| four |'],
  ['0005-fifth.md is not in the index once', 'docs/decisions/README.md', '## Two', '| 0005 | [Fifth](0005-fifth.md) |'],
  ['0004 is out of order', 'docs/decisions/README.md', '\n## Two\n\n', ''],
  ['the number or title of 0001 differs', 'docs/decisions/README.md', '[First]', '[Former]'],
  ['"3 invariants": there are 2', 'docs/site/page.md', '2', '3'],
  ['the barrels are src/index.ts, src/ports.ts', 'CONTRIBUTING.md', ' and `src/ports.ts`', ''],
  ['the barrels are src/ports.ts', 'src/index.ts', 'export {', 'export const a = 1;\nexport {'],
])('%s', (message, file, from, to) => {
  expect(TRUE_STATEMENTS[file]).toContain(from);
  const { status, stderr } = check({ [file]: TRUE_STATEMENTS[file].replace(from, to) });
  expect(status).toBe(1);
  expect(stderr).toContain(message);
});

/** `COMMIT` becomes the commit that has the commands, `BRANCH` one that has them and is not in the history of `HEAD`. */
const result = (fields: object): string => JSON.stringify({ commit: 'COMMIT', ...fields });

function checkResults(files: Readonly<Record<string, string>>, listed: readonly string[] = []) {
  const tree = plantTree({
    copied: ['scripts/check-results.ts', 'scripts/rules/project-files.ts'],
    packages: false,
    files: {
      'package.json': '{ "type": "module", "scripts": { "test:load": "" } }',
      'bench/a.ts': '',
      'scripts/rules/old-results.table.ts': `export const oldResults = new Map(${JSON.stringify(listed.map((name) => [name, 'a reason']))});`,
      ...files,
    },
  });
  tree.run(
    `git init --quiet . && git add bench/a.ts package.json && git config user.name a && git config user.email a@example.org && git commit --quiet -m a && sed -i s/COMMIT/$(git rev-parse HEAD)/ bench/results/*.json`,
  );
  tree.run(`sed -i s/BRANCH/$(git commit-tree -m b HEAD^{tree})/ bench/results/*.json`);
  return tree.run('node scripts/check-results.ts');
}

test('results that name a file or a script of the repository pass, and so do listed ones', () => {
  const files = {
    'bench/results/a.json': result({ command: 'node bench/a.ts 5' }),
    'bench/results/load.json': result({ command: 'npm run test:load' }),
    'bench/results/old.json': result({ command: 'node bench/old.ts' }),
  };
  expect(checkResults(files, ['old'])).toMatchObject({ status: 0, stderr: '' });
});

test('a result without its command is reported, and so is a listed one that is not old', () => {
  const files = {
    'bench/results/a.json': result({ command: 'node bench/a.ts' }),
    'bench/results/gone.json': result({ command: 'node bench/gone.ts' }),
    'bench/results/script.json': result({ command: 'npm run test:gone' }),
    'bench/results/lost.json': result({ command: 'node bench/a.ts', commit: '0000000' }),
    'bench/results/branch.json': result({ command: 'node bench/a.ts', commit: 'BRANCH' }),
    'bench/results/none.json': result({}),
    'bench/results/too-early.json': result({ command: 'node bench/b.ts' }),
    'bench/b.ts': '',
  };
  const { status, stderr } = checkResults(files, ['a']);
  expect(status).toBe(1);
  expect(stderr.split('\n').map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([
    expect.stringMatching(/^bench\/results\/branch\.json: [0-9a-f]{40} is not in the history of HEAD$/),
    'bench/results/gone.json: there is no bench/gone.ts',
    'bench/results/lost.json: 0000000 is not in the history of HEAD',
    'bench/results/none.json: no command or commit',
    'bench/results/script.json: there is no script test:gone',
    expect.stringMatching(/^bench\/results\/too-early\.json: at [0-9a-f]{40} there is no bench\/b\.ts$/),
    'a: listed as an old result, and it is not one',
    '',
  ]);
});

test.each<readonly [text: string, unbacked: readonly string[]]>([
  ['nDCG@10 [0.83](../bench/results/a.json) on 379 questions, 12 % of them [long](../bench/results/a.json)', []],
  ['nDCG@10 [0.84](../bench/results/a.json) on 379 questions', ['0.84']],
  [
    'Measured ([a](../bench/results/a.json)):\n\n| file | words |\n| --- | --- |\n| PDF | .827 |\n| EPUB | .9 |',
    ['.9'],
  ],
  ['<!-- figures -->\n[0.84](../bench/results/a.json)\n<!-- end of figures -->', []],
  ['Nothing is linked: 0.84', []],
])('a number next to a link to a result is in the result: %j', (text, unbacked) => {
  const measured = { command: 'node bench/a.ts', ndcg: 0.8271, questions: 379, longShare: 0.1184 };
  const { stderr } = checkResults({ 'bench/results/a.json': result(measured), 'docs/page.md': `${text}\n` });
  expect(stderr.trim().split('\n').filter(Boolean)).toEqual(
    unbacked.map((number) => `docs/page.md: ${number} is not in a`),
  );
});
