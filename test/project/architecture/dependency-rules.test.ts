// Every rule of .dependency-cruiser.cjs rejects a planted violation, and the project itself has none.

import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { plantTree, PROJECT, runIn } from '../../support/planted-tree.ts';

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
  ['no-cycles', 'src/core/model/cycle-a.ts', "import { b } from './cycle-b.ts';\nexport const a = b;"],
  ['no-cycles', 'src/core/model/type-cycle-a.ts', "import type { B } from './type-cycle-b.ts';\nexport type A = B;"],
  ['everything-resolves', 'src/core/model/lost.ts', "import './nowhere.ts';"],
  ['core-is-closed', 'src/core/url/imports-fs.ts', "import 'node:fs';"],
  ['core-is-closed', 'src/core/url/imports-clock.ts', "import '../../platform/clock.ts';"],
  ['core-is-closed', 'src/core/url/imports-package.ts', "import 'undici';"],
  ['core-is-closed', 'src/core/url/imports-type.ts', "import type { Pool } from 'pg';\nexport type P = Pool;"],
  ['core-entry-is-closed', 'src/core/index.ts', "import '../platform/clock.ts';"],
  ['a-format-is-a-folder', 'src/formats/man/imports-format.ts', "import '../rst/rst.ts';"],
  ['a-format-is-a-folder', 'src/formats/man/imports-parse.ts', "import '../../parse/port.ts';"],
  ['formats-are-listed', 'src/parse/imports-format.ts', "import '../formats/rst/rst.ts';"],
  ['formats-are-listed', 'web/imports-format.ts', "import '../src/formats/rst/rst.ts';"],
  ['formats-are-loaded-late', 'src/formats/man/format.ts', "import './man.ts';"],
  ['stages-are-independent', 'src/fetch/imports-store.ts', "import '../store/port.ts';"],
  ['stages-are-independent', 'src/store/imports-crawl.ts', "import '../crawl/crawl.ts';"],
  ['stages-are-independent', 'src/store/imports-library.ts', "import '../library/export.ts';"],
  ['ports-are-contracts', 'src/ports/imports-store.ts', "import '../store/port.ts';"],
  ['only-entry-points-import-compose', 'src/crawl/imports-compose.ts', "import '../compose/library.ts';"],
  ['only-entry-points-import-compose', 'src/library/imports-compose.ts', "import '../compose/library.ts';"],
  ['only-entry-points-import-compose', 'src/search/imports-compose.ts', "import '../compose/run-worker.ts';"],
  ['compose-knows-no-command-line', 'src/compose/imports-cli.ts', "import '../serve/cli/cli.ts';"],
  ['use-cases-import-ports-only', 'src/crawl/imports-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['use-cases-import-ports-only', 'src/library/imports-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['use-cases-do-not-import-interfaces', 'src/search/imports-action.ts', "import '../actions/add.ts';"],
  ['use-cases-do-not-import-interfaces', 'src/library/imports-action.ts', "import '../actions/add.ts';"],
  ['actions-do-not-import-interfaces', 'src/actions/imports-cli.ts', "import '../serve/cli/cli.ts';"],
  ['interfaces-import-actions-only', 'src/serve/cli/imports-store.ts', "import '../../store/port.ts';"],
  ['interfaces-import-actions-only', 'src/serve/cli/imports-crawl.ts', "import '../../crawl/crawl.ts';"],
  ['interfaces-import-actions-only', 'src/serve/cli/imports-library.ts', "import '../../library/export.ts';"],
  ['platform-is-generic', 'src/platform/imports-url.ts', "import '../core/url/clean.ts';"],
  ['adapters-only-in-compose', 'src/actions/imports-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['adapters-only-in-compose', 'src/serve/imports-adapter.ts', "import '../store/sqlite/adapter.ts';"],
  ['web-uses-core-and-action-types', 'web/imports-platform.ts', "import '../src/platform/clock.ts';"],
  ['web-takes-only-types-from-actions', 'web/imports-value.ts', "import { add } from '../src/actions/add.ts';\nadd();"],
  ['client-is-closed', 'src/client/imports-node.ts', "import 'node:fs';"],
  ['client-is-closed', 'src/client/imports-action.ts', "import { add } from '../actions/add.ts';\nadd();"],
  ['pg-is-fenced', 'src/store/sqlite/imports-pg.ts', "import 'pg';"],
  ['sqlite-is-fenced', 'src/store/postgres/imports-sqlite.ts', "import 'node:sqlite';"],
  ['mcp-is-fenced', 'src/serve/http/imports-mcp.ts', "import '@modelcontextprotocol/server';"],
  ['http-server-is-fenced', 'src/serve/mcp/imports-hono.ts', "import 'hono';"],
  ['http-server-is-fenced', 'src/serve/mcp/imports-adapter.ts', "import '@hono/node-server';"],
  ['http-client-is-fenced', 'src/embed/imports-undici.ts', "import 'undici';"],
  ['sockets-are-fenced', 'src/embed/imports-http.ts', "import 'node:https';"],
  ['sockets-are-fenced', 'src/parse/imports-net.ts', "import 'node:net';"],
  ['browser-is-fenced', 'src/parse/imports-browser.ts', "import 'playwright-core';"],
  ['onnx-is-fenced', 'src/parse/imports-onnx.ts', "import 'onnxruntime-node';"],
  ['frameworks-are-fenced', 'src/library/imports-langchain.ts', "import '@langchain/core';"],
  ['integrations-are-entries', 'src/compose/imports-entry.ts', "import '../integrations/langchain.ts';"],
  ['src-never-imports-test', 'src/crawl/imports-test.ts', "import '../../test/anything.ts';"],
];

/** What the rules allow, so that a rule which rejects too much is found as well. */
const allowed: Readonly<Record<string, string>> = {
  'src/core/model/cycle-b.ts': "import { a } from './cycle-a.ts';\nexport const b = () => a;",
  'src/core/model/type-cycle-b.ts': "import type { A } from './type-cycle-a.ts';\nexport type B = A | 1;",
  'src/core/url/clean.ts': "import '../model/noun.ts';\nimport 'zod';",
  'src/core/url/clean.test.ts': "import 'node:fs';\nimport './clean.ts';",
  'src/core/model/noun.ts': 'export {};',
  'src/formats/formats.ts': "import './rst/format.ts';",
  'src/formats/rst/format.ts': "import '../../core/model/noun.ts';\nexport const load = () => import('./rst.ts');",
  'src/formats/rst/rst.ts': "import '../../core/model/noun.ts';\nimport 'unpdf';",
  'src/formats/man/man.ts': 'export {};',
  'src/platform/clock.ts': "import '../core/model/noun.ts';\nimport 'node:os';",
  'src/parse/port.ts': "import '../formats/formats.ts';",
  'src/ports/records.ts': "import '../core/model/noun.ts';",
  'src/store/port.ts': "import '../core/model/noun.ts';\nimport '../ports/records.ts';",
  'src/store/sqlite/adapter.ts': "import 'node:sqlite';\nimport '../port.ts';\nimport '../../platform/clock.ts';",
  'src/store/postgres/adapter.ts': "import 'pg';\nimport '../port.ts';",
  'src/fetch/http/http-fetcher.ts': "import 'undici';",
  'src/render/launch-browser.ts': "import 'playwright-core';",
  'src/embed/local.ts': "import 'onnxruntime-node';",
  'src/crawl/crawl.ts': "import '../store/port.ts';\nimport '../core/url/clean.ts';",
  'src/library/export.ts': "import '../store/port.ts';\nimport '../crawl/crawl.ts';",
  'src/search/find.ts': "import '../store/port.ts';",
  'src/actions/add.ts':
    "import '../crawl/crawl.ts';\nimport '../library/export.ts';\nimport '../search/find.ts';\nexport const add = () => {};\nexport type Add = 1;",
  'src/serve/cli/cli.ts': "import '../../actions/add.ts';",
  'src/serve/http/server.ts': "import 'hono';\nimport '@hono/node-server';",
  'src/serve/mcp/server.ts': "import '@modelcontextprotocol/server';",
  'src/compose/library.ts':
    "import '../store/sqlite/adapter.ts';\nimport '../store/postgres/adapter.ts';\nimport '../serve/http/server.ts';",
  'src/compose/run-worker.ts': "import '../store/sqlite/adapter.ts';",
  'src/integrations/langchain.ts': "import '@langchain/core';\nimport '../compose/library.ts';",
  'src/main.ts': "import './compose/library.ts';\nimport './compose/run-worker.ts';",
  'web/page.ts':
    "import '../src/core/url/clean.ts';\nimport type { Add } from '../src/actions/add.ts';\nexport type A = Add;",
  'test/anything.ts': 'export {};',
};

const PACKAGES = [
  'zod',
  'pg',
  'undici',
  'unpdf',
  'hono',
  '@hono/node-server',
  '@modelcontextprotocol/server',
  'playwright-core',
  'onnxruntime-node',
  '@langchain/core',
];

test('each rule rejects its planted violation, and nothing else is rejected', () => {
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
  const clean = new Set(Object.keys(allowed).filter((file) => !file.includes('cycle')));
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
