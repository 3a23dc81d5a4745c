// Every action over a library of many sources: only what lists the library reads more rows than a small one has.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionList, type ActionName } from '../../../src/actions/actions.ts';
import type { Action, ActionDeps } from '../../../src/actions/action.ts';
import { createDocsFiles } from '../../../src/library/docs-files.ts';
import { readLibraryState } from '../../../src/library/library-state.ts';
import type { Engine, Executor } from '../../../src/store/sql/engine/engine.ts';
import type { Store } from '../../../src/store/port.ts';
import { examples } from '../../feature/client/action-examples.table.ts';
import { fillStore } from '../../support/fill-store.ts';
import { actionDeps } from '../../support/run-worker.ts';
import { execute } from '../../support/stores.ts';
import { openDatabase, type OpenDatabase, type TestDatabase } from '../../support/test-database.ts';
import { temporaryDirectory } from '../../support/temporary-folder.ts';
import { newDatabase } from '../../support/zombie-run.ts';

/** What a request about one thing may read, however many sources there are. */
const MAX_ROWS = 400;

/** They list or compare all sources, or everything from the start: a few rows for each of them. */
const LISTS_SOURCES: ReadonlySet<string> = new Set<ActionName>([
  'list_sources',
  'list_projects',
  'show_stats',
  'write_agents_md',
  'export_definitions',
  'apply_definitions',
  'reindex_source',
  'list_changes',
  'show_growth',
]);
const MAX_ROWS_PER_SOURCE = 8;

/** The examples are about a library of another name. */
function inputOf({ name, input }: Action): Record<string, unknown> {
  const example = examples[name as ActionName]?.input ?? {};
  const text = JSON.stringify({ ...example, ...OTHER_INPUTS[name as ActionName] })
    .replaceAll('https://courier.example/docs/pool', 'https://x.dev/a')
    .replaceAll('"courier"', '"docs"');
  return input.parse(JSON.parse(text));
}

const folder = temporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const OTHER_INPUTS: { readonly [Name in ActionName]?: Readonly<Record<string, unknown>> } = {
  list_vectors: { url: 'https://x.dev/a' },
  start_analysis: { source: 'docs' },
  show_readiness: { source: 'docs' },
  read_docs: { target: 'https://x.dev/a', source: 'docs' },
  list_changes: { since: undefined, wait: 0 },
  add_source: { url: 'https://new.example/', name: 'new' },
  sync_project: { dir: folder },
  export_source: { out: join(folder, 'docs.zip'), force: true },
  backup_library: { out: join(folder, 'backup.db') },
  import_bundle: { file: join(folder, 'docs.zip'), name: 'copy' },
  recrawl_source: { source: 's7' },
  edit_source: { source: 's8' },
  compare_versions: { source: 's10', before: '1', after: '2' },
  remove_source: { source: 's9' },
  reindex_source: { source: undefined, all: true },
  control_run: { run: 'live' },
  create_webhook: { source: undefined },
};

/** What is not in this store: the network, the files of a project, an id that was returned before. */
const MAY_FAIL: ReadonlySet<string> = new Set<ActionName>([
  'plan_source',
  'preview_page',
  'pull_model',
  'sync_project',
  'test_webhook',
  'backup_library',
  'install_entries',
  'verify_catalog',
  'rebuild_entry',
  'build_catalog',
  'create_catalog_root',
  'create_catalog_key',
  'show_analysis',
  'stop_analysis',
  'show_place',
]);

/** The webhook and the token of an example are created before they are used, and a source is removed last. */
const LAST: readonly string[] = ['test_webhook', 'delete_webhook', 'delete_token', 'remove_source'];
const actions = actionList.toSorted((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name));

/** Routes that are no actions. */
const ROUTES: ReadonlyArray<readonly [name: string, request: (store: Store, deps: ActionDeps) => Promise<unknown>]> = [
  ['/metrics', (store, { index }) => readLibraryState(store, index, null)],
  ['/docs/docs/llms.txt', async (store) => Array.fromAsync((await files(store).sourceIndex('docs')).parts())],
  ['/docs/docs/llms-full.txt', async (store) => Array.fromAsync((await files(store).fullText('docs')).parts())],
  ['/docs/docs/a.md', async (store) => files(store).page('docs', 'a', '')],
];

const files = (store: Store) => createDocsFiles(store, '0');

const LIBRARIES: ReadonlyArray<readonly [engine: TestDatabase['engine'], sources: number]> = [
  ['sqlite', 1000],
  ['postgres', 1000],
  ['sqlite', 20_000],
];

describe.each(LIBRARIES)('%s, %i sources', (engine, sources) => {
  const rows = createRowCounter();
  let opened: OpenDatabase;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const created = await newDatabase(engine);
    ({ remove } = created);
    opened = await openDatabase(created.database, rows.wrap);
    await fillStore(opened.store);
    await addSources(created.database, sources);
    // A process reads the list of sources once.
    await opened.store.sources.list();
  }, 60_000);

  afterAll(async () => {
    await opened.store.close();
    await remove();
  });

  test.each(actions.map((action) => [action.name, action] as const))(
    '%s',
    { timeout: 60_000 },
    async (name, action) => {
      const input = inputOf(action);
      rows.take();
      const outcome = await action.run(input, actionDeps(opened.store)).then(
        () => 'returned',
        (error: unknown) => error,
      );
      const read = rows.take();
      if (!MAY_FAIL.has(name)) expect(outcome).toBe('returned');
      const isListing = action.readsWholeLibrary === true || LISTS_SOURCES.has(name);
      expect(read).toBeLessThan(isListing ? MAX_ROWS + sources * MAX_ROWS_PER_SOURCE : MAX_ROWS);
    },
  );

  test.each(ROUTES)('%s', async (_, request) => {
    rows.take();
    await request(opened.store, actionDeps(opened.store));
    expect(rows.take()).toBeLessThan(MAX_ROWS);
  });
});

/** Counts the rows that the statements of a store return. */
function createRowCounter(): { readonly wrap: (engine: Engine) => Engine; readonly take: () => number } {
  let rows = 0;
  const counted = (executor: Executor): Executor => {
    const count = <Row>(found: Row[]): Row[] => {
      rows += found.length;
      return found;
    };
    return {
      all: async (sql, values) => count(await executor.all(sql, values)),
      each: async (statement, values, scalars) => count(await executor.each(statement, values, scalars)),
      changed: (statement, values, scalars) => executor.changed(statement, values, scalars),
    };
  };
  return {
    wrap: (engine) => ({
      ...engine,
      reader: counted(engine.reader),
      transaction: (work, flush) => engine.transaction((tx) => work(counted(tx)), flush),
    }),
    take() {
      const taken = rows;
      rows = 0;
      return taken;
    },
  };
}

/** Sources that were crawled once, with three pages each, written in one statement a table. */
async function addSources(database: TestDatabase, count: number): Promise<void> {
  const now = Date.now();
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const statements = [
    `insert into sources (name, kind, start_url, settings, created_at) ${numbers} select 's' || i, 'web', 'https://s' || i || '.dev/', '{}', ${now} from n`,
    `insert into versions (source_id, label, site_profile, created_at) select id, '', '{}', ${now} from sources where name like 's%'`,
    `insert into versions (source_id, label, site_profile, created_at) select id, label, '{}', ${now} from sources, (select '1' as label union all select '2') as labels where name = 's10'`,
    `insert into version_counts (version_id, pages, duplicates, chunks, oldest_check_at, newest_check_at, changed_at)
       select versions.id, 3, 0, 9, ${now}, ${now}, ${now} from versions, sources where sources.id = source_id and name like 's%'`,
    `insert into runs (source_id, version_id, state, mode, settings, created_at, started_at, ended_at)
       select source_id, versions.id, 'completed', 'incremental', '{}', ${now}, ${now}, ${now} from versions, sources where sources.id = source_id and name like 's%'`,
  ];
  if (database.engine === 'postgres') return execute(database.url, statements.join(';\n'));
  const connection = new DatabaseSync(join(database.directory, 'pinakes.db'), { timeout: 5000 });
  connection.function('now_ms', () => Date.now());
  connection.exec(`begin; ${statements.join(';\n')}; commit`);
  connection.close();
}
