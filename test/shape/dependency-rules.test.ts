// Every rule of .dependency-cruiser.cjs refuses a planted violation, and the project itself has none.

import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { plantTree, PROJECT, runIn } from './planted-tree.ts';

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: ReadonlyArray<{
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }>;
  };
}

const rules = createRequire(import.meta.url)(`${PROJECT}/.dependency-cruiser.cjs`) as {
  readonly forbidden: ReadonlyArray<{ readonly name: string }>;
};

/** Rule, the file that breaks it, and what that file imports. */
const violations: ReadonlyArray<readonly [rule: string, file: string, imports: string]> = [
  ['no-cycles', 'src/core/model/circle-a.ts', "import { b } from './circle-b.ts';\nexport const a = b;"],
  ['no-cycles', 'src/core/model/type-circle-a.ts', "import type { B } from './type-circle-b.ts';\nexport type A = B;"],
  ['everything-resolves', 'src/core/model/lost.ts', "import './nowhere.ts';"],
  ['core-is-closed', 'src/core/url/reads-files.ts', "import 'node:fs';"],
  ['core-is-closed', 'src/core/url/reads-clock.ts', "import '../../platform/clock.ts';"],
  ['core-is-closed', 'src/core/url/takes-package.ts', "import 'undici';"],
  ['core-is-closed', 'src/core/url/takes-type.ts', "import type { Pool } from 'pg';\nexport type P = Pool;"],
  ['stages-do-not-meet', 'src/fetch/asks-store.ts', "import '../store/port.ts';"],
  ['stages-do-not-meet', 'src/store/asks-operate.ts', "import '../operate/crawl.ts';"],
  ['stages-know-no-composition', 'src/operate/composes.ts', "import '../compose/library.ts';"],
  ['stages-know-no-composition', 'src/search/composes-work.ts', "import '../compose/work.ts';"],
  ['conductors-see-ports-only', 'src/operate/takes-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['conductors-know-no-door', 'src/search/knows-action.ts', "import '../actions/add.ts';"],
  ['actions-know-no-door', 'src/actions/knows-door.ts', "import '../serve/cli/cli.ts';"],
  ['doors-open-on-actions', 'src/serve/cli/asks-store.ts', "import '../../store/port.ts';"],
  ['doors-open-on-actions', 'src/serve/cli/asks-operate.ts', "import '../../operate/crawl.ts';"],
  ['platform-knows-no-product', 'src/platform/asks-url.ts', "import '../core/url/clean.ts';"],
  ['adapters-only-in-compose', 'src/actions/takes-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['adapters-only-in-compose', 'src/serve/compose-door.ts', "import '../store/sqlite/adapter.ts';"],
  ['web-uses-core-and-action-types', 'web/asks-platform.ts', "import '../src/platform/clock.ts';"],
  ['web-takes-only-types-from-actions', 'web/takes-value.ts', "import { add } from '../src/actions/add.ts';\nadd();"],
  ['pg-is-fenced', 'src/store/sqlite/takes-pg.ts', "import 'pg';"],
  ['sqlite-is-fenced', 'src/store/postgres/takes-sqlite.ts', "import 'node:sqlite';"],
  ['mcp-is-fenced', 'src/serve/http/takes-mcp.ts', "import '@modelcontextprotocol/server';"],
  ['http-server-is-fenced', 'src/serve/mcp/takes-hono.ts', "import 'hono';"],
  ['http-server-is-fenced', 'src/serve/mcp/takes-adapter.ts', "import '@hono/node-server';"],
  ['http-client-is-fenced', 'src/embed/takes-undici.ts', "import 'undici';"],
  ['sockets-are-fenced', 'src/embed/takes-http.ts', "import 'node:https';"],
  ['sockets-are-fenced', 'src/parse/takes-net.ts', "import 'node:net';"],
  ['browser-is-fenced', 'src/parse/takes-browser.ts', "import 'playwright-core';"],
  ['onnx-is-fenced', 'src/parse/takes-onnx.ts', "import 'onnxruntime-node';"],
  ['src-never-imports-test', 'src/operate/takes-test.ts', "import '../../test/anything.ts';"],
];

/** What the rules allow, so that a rule which refuses too much is found as well. */
const allowed: Readonly<Record<string, string>> = {
  'src/core/model/circle-b.ts': "import { a } from './circle-a.ts';\nexport const b = () => a;",
  'src/core/model/type-circle-b.ts': "import type { A } from './type-circle-a.ts';\nexport type B = A | 1;",
  'src/core/url/clean.ts': "import '../model/noun.ts';\nimport 'zod';",
  'src/core/url/clean.test.ts': "import 'node:fs';\nimport './clean.ts';",
  'src/core/model/noun.ts': 'export {};',
  'src/platform/clock.ts': "import '../core/model/noun.ts';\nimport 'node:os';",
  'src/store/port.ts': "import '../core/model/noun.ts';",
  'src/store/sqlite/adapter.ts': "import 'node:sqlite';\nimport '../port.ts';\nimport '../../platform/clock.ts';",
  'src/store/postgres/adapter.ts': "import 'pg';\nimport '../port.ts';",
  'src/fetch/http/http-fetcher.ts': "import 'undici';\nimport 'playwright-core';",
  'src/embed/local.ts': "import 'onnxruntime-node';",
  'src/operate/crawl.ts': "import '../store/port.ts';\nimport '../core/url/clean.ts';",
  'src/search/find.ts': "import '../store/port.ts';",
  'src/actions/add.ts':
    "import '../operate/crawl.ts';\nimport '../search/find.ts';\nexport const add = () => {};\nexport type Add = 1;",
  'src/serve/cli/cli.ts': "import '../../actions/add.ts';",
  'src/serve/http/server.ts': "import 'hono';\nimport '@hono/node-server';",
  'src/serve/mcp/server.ts': "import '@modelcontextprotocol/server';",
  'src/compose/library.ts':
    "import '../store/sqlite/adapter.ts';\nimport '../store/postgres/adapter.ts';\nimport '../serve/cli/cli.ts';",
  'src/compose/run-worker.ts': "import '../store/sqlite/adapter.ts';",
  'src/main.ts': "import './compose/library.ts';\nimport './compose/work.ts';",
  'web/page.ts':
    "import '../src/core/url/clean.ts';\nimport type { Add } from '../src/actions/add.ts';\nexport type A = Add;",
  'test/anything.ts': 'export {};',
};

const PACKAGES = [
  'zod',
  'pg',
  'undici',
  'hono',
  '@hono/node-server',
  '@modelcontextprotocol/server',
  'playwright-core',
  'onnxruntime-node',
];

test('each rule refuses what it names, and nothing else is refused', () => {
  const tree = plantTree({
    copied: ['.dependency-cruiser.cjs', 'tsconfig.json'],
    packages: false,
    files: {
      ...allowed,
      ...Object.fromEntries(violations.map(([, file, imports]) => [file, `${imports}\nexport {};\n`])),
      ...Object.fromEntries(PACKAGES.flatMap(packageFiles)),
      'package.json': JSON.stringify({
        type: 'module',
        dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])),
      }),
    },
  });
  const { stdout, stderr } = tree.run('depcruise --config .dependency-cruiser.cjs --output-type json src web');
  expect(stdout, stderr).not.toBe('');
  const found = (JSON.parse(stdout) as Cruise).summary.violations;
  const refused = new Set(found.map(({ rule, from }) => `${rule.name}: ${from}`));

  for (const [rule, file] of violations) expect(refused, rule).toContain(`${rule}: ${file}`);
  const clean = new Set(Object.keys(allowed).filter((file) => !file.includes('circle')));
  expect(found.filter(({ from }) => clean.has(from))).toEqual([]);
});

test('each rule has a planted violation', () => {
  const planted = new Set(violations.map(([rule]) => rule));
  expect(rules.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
});

test('the project itself keeps every rule', () => {
  const { stdout } = runIn(PROJECT, 'depcruise --config .dependency-cruiser.cjs --output-type json src web');
  const { violations: own, totalCruised } = (JSON.parse(stdout) as Cruise).summary;
  expect(own).toEqual([]);
  expect(totalCruised).toBeGreaterThan(10);
});

function packageFiles(name: string): Array<[string, string]> {
  const manifest = JSON.stringify({ name, version: '1.0.0', type: 'module', exports: { '.': './index.js' } });
  return [
    [`node_modules/${name}/package.json`, manifest],
    [`node_modules/${name}/index.js`, 'export {};\n'],
  ];
}
