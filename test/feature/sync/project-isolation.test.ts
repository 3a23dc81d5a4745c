// A property: whatever is asked in a project, no passage is of a version that the project does not use.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary } from '../../../src/index.ts';
import { loadProjectScope } from '../../../src/serve/project-file.ts';
import { scopeCall } from '../../../src/serve/project-scope.ts';
import { PinakesError } from '../../../src/core/model/errors.ts';
import type { CallAction } from '../../../src/serve/call-action.ts';
import { createLibrary, type Library } from '../../support/library.ts';
import { createProject, type InstalledPackage } from '../../support/project-folder.ts';

const TOPICS = ['strict', 'optional', 'timeout', 'retry', 'union', 'parse', 'transform', 'schema'];

/** Both versions share most of their words, and each page says which version it is of. */
function zodLike(name: string, version: string): InstalledPackage {
  const marker = `marker-${name}-${version}`;
  const guides = TOPICS.map((topic) => [
    `docs/${topic}.md`,
    `# How to ${topic}\n\nCall ${topic}() of ${name} to ${topic} a value. ${marker}\n\n## Options\n\nThe ${topic} option. ${marker}\n`,
  ]);
  const declarations = TOPICS.map(
    (topic) => `/** ${topic} a value. ${marker} */\nexport declare function ${topic}(): void;\n`,
  );
  return { name, version, files: { ...Object.fromEntries(guides), 'index.d.ts': declarations.join('\n') } };
}

const VERSIONS = { three: { zod: '3.25.0', hono: '4.0.0' }, four: { zod: '4.1.0', hono: '4.0.0' } } as const;

let library: Library;
let opened: Awaited<ReturnType<typeof openLibrary>>;
const projects = new Map<string, { readonly call: CallAction; readonly used: ReadonlySet<string> }>();

beforeAll(async () => {
  library = await createLibrary('sqlite');
  const folders = Object.values(VERSIONS).map((used) =>
    createProject(Object.entries(used).map(([name, version]) => zodLike(name, version))),
  );
  for (const folder of folders) await library.run('sync', folder);
  opened = await openLibrary({ dataDir: library.settings['PINAKES_DATA_DIR'] ?? '', readOnly: true });
  for (const [at, used] of Object.values(VERSIONS).entries()) {
    const folder = folders[at] ?? '';
    const call = opened.call as unknown as CallAction;
    const markers = Object.entries(used).map(([name, version]) => `marker-${name}-${version}`);
    projects.set(Object.keys(VERSIONS)[at] ?? '', {
      call: scopeCall(call, () => loadProjectScope(folder)),
      used: new Set(markers),
    });
  }
}, 120_000);

afterAll(async () => {
  await opened.close();
  await library.remove();
});

function projectOf(name: string): { readonly call: CallAction; readonly used: ReadonlySet<string> } {
  const project = projects.get(name);
  if (project === undefined) throw new Error(`no project ${name}`);
  return project;
}

const words = fc.array(fc.constantFrom(...TOPICS, 'zod', 'hono', 'value', '3.25.0', '4.1.0', 'marker', 'options'), {
  minLength: 1,
  maxLength: 6,
});
const source = fc.option(
  fc.constantFrom('zod', 'npm:zod', 'zod@3.25.0', 'npm:zod@4.1.0', 'hono', 'npm:zod@^3', 'npm:other'),
  {
    nil: undefined,
  },
);
const version = fc.option(fc.constantFrom('3.25.0', '4.1.0', '^3', '4', 'latest', '9'), { nil: undefined });

test('two projects with zod 3 and zod 4 in one library never see passages of each other', async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('three', 'four'), words, source, version, async (name, query, named, label) => {
      const { call, used } = projectOf(name);
      const input = { query: query.join(' '), ...(named && { source: named }), ...(label && { version: label }) };
      try {
        const { passages } = (await call('search_docs', { ...input, limit: 50, budget: 8000 })) as {
          passages: readonly { readonly text: string }[];
        };
        answered += passages.length;
        const markers = passages.flatMap(({ text }) => text.match(/marker-[\w.-]*\d/g) ?? []);
        for (const marker of markers) expect(used).toContain(marker);
      } catch (error) {
        if (!(error instanceof PinakesError)) throw error;
        expect(['project.not-synced', 'project.other-version']).toContain(error.code);
      }
    }),
    { numRuns: 300 },
  );
  expect(answered).toBeGreaterThan(300);
}, 120_000);
