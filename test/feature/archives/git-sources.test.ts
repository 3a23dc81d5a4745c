// Repositories as sources: one archive of a commit over HTTP, without git.

import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { commitId, startForge, type Forge } from '../../support/forge.ts';
import { createLibrary, ENGINES, storedUrls, type Library } from '../../support/library.ts';
import type { Settings } from '../../support/program.ts';
import { packed } from '../../support/tar-archive.ts';

const [A, B, C] = [commitId('a'), commitId('b'), commitId('c')];
const page = (about: string): string => `# ${about}\n\nThis page is about ${about} and how a kettle is used for it.\n`;

let forge: Forge;
let library: Library;

beforeAll(async () => {
  forge = await startForge();
});

afterAll(() => forge.close());

afterEach(() => library.remove());

const source = (project: string, after = ''): string => `git+${forge.url}/${project}${after}`;

interface Listed {
  readonly sources: ReadonlyArray<{ source: string; versions: ReadonlyArray<{ version: string; pages: number }> }>;
}

function requestsOf(project: string): string[] {
  return forge.requests
    .filter(({ url }) => url.startsWith(`/${project}`))
    .map(({ url }) => url.split('/').at(-1) ?? '');
}

describe.each(ENGINES)('on %s', (engine) => {
  test('a tag with a folder is crawled, an unchanged commit costs one request, and a moved tag is reported', async () => {
    library = await createLibrary(engine);
    const project = `tea/${engine}`;
    forge.repositories[project] = {
      refs: { HEAD: B, 'refs/heads/main': B, 'refs/tags/v1.0.0': C, 'refs/tags/v1.0.0^{}': A },
      commits: {
        [A]: {
          files: {
            'docs/pour.md': page('pouring'),
            'docs/old.md': page('old'),
            'README.md': page('all'),
            'src/x.ts': 'x',
          },
        },
        [B]: { files: { 'docs/pour.md': page('pouring slowly'), 'docs/new.md': page('new') } },
      },
    };
    const added = await library.run('add', source(project, '#v1.0.0:docs'), '--wait');
    expect(added, added.stderr).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(['file:///docs/old.md', 'file:///docs/pour.md']);
    const { sources }: Listed = await library.json('list');
    expect(sources).toMatchObject([{ source: project, versions: [{ version: '1.0.0' }] }]);

    const before = requestsOf(project).length;
    expect(await library.run('recrawl', project, '--wait')).toMatchObject({ code: 0 });
    expect(requestsOf(project).slice(before)).toEqual(['refs?service=git-upload-pack']);
    expect(await storedUrls(library)).toHaveLength(2);
    const quiet: { problems: readonly unknown[] } = await library.json('problems', project);
    expect(quiet.problems).toEqual([]);

    forge.repositories[project].refs['refs/tags/v1.0.0^{}'] = B;
    expect(await library.run('recrawl', project, '--wait')).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(['file:///docs/new.md', 'file:///docs/pour.md']);
    const moved: { problems: readonly unknown[] } = await library.json('problems', project);
    expect(moved.problems).toMatchObject([{ kind: 'tag-moved', message: expect.stringContaining(B) }]);
    const { passages } = (await library.json('search', 'pouring slowly')) as { passages: readonly { text: string }[] };
    expect(passages[0]?.text).toContain('slowly');
  });

  test('the default branch, without a folder, has its documentation; another tag is another version', async () => {
    library = await createLibrary(engine);
    const project = `pot/${engine}`;
    const files = {
      'README.md': page('the pot'),
      'docs/lid.md': page('the lid'),
      'src/lid.ts': 'export {}',
      LICENSE: 'free',
    };
    forge.repositories[project] = {
      refs: { HEAD: A, 'refs/heads/main': A, 'refs/tags/v2.0.0': B },
      commits: { [A]: { files }, [B]: { files: { 'README.md': page('the second pot') } } },
    };
    expect(await library.run('add', source(project), '--wait')).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(['file:///README.md', 'file:///docs/lid.md']);
    expect(await library.run('add', source(project, '#v2.0.0'), '--wait')).toMatchObject({ code: 0 });
    const { sources }: Listed = await library.json('list');
    expect(sources).toHaveLength(1);
    expect(sources[0]?.versions.map(({ version }) => version).toSorted()).toEqual(['', '2.0.0']);
  });

  test('a private repository gets the headers of its source', async () => {
    const secret = Buffer.from('ada:open').toString('base64');
    library = await createLibrary(engine, {
      PINAKES_FETCH_SECRETS: `FORGE_LOGIN@${forge.url}`,
      FORGE_LOGIN: secret,
    } as Settings);
    const project = `private/${engine}`;
    forge.repositories[project] = {
      refs: { HEAD: A },
      commits: { [A]: { files: { 'README.md': page('secrets') } } },
      authorization: `Basic ${secret}`,
    };
    const refused = await library.run('add', source(project), '--wait', '--name', 'without');
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('status 401');
    const header = 'Authorization: Basic {FORGE_LOGIN}';
    const added = await library.run('add', source(project), '--wait', '--headers', header);
    expect(added, added.stderr).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(['file:///README.md']);
  });
});

describe('hostile archives', () => {
  const add = async (name: string, commit: Forge['repositories'][string]['commits'][string], more = {}) => {
    library = await createLibrary('sqlite', more);
    forge.repositories[`bad/${name}`] = { refs: { HEAD: A }, commits: { [A]: commit } };
    const { code, stdout, stderr } = await library.run('add', source(`bad/${name}`), '--wait');
    return { code, text: stdout + stderr, urls: await storedUrls(library) };
  };
  const files = { 'README.md': page('kettles') };

  test('links, parent paths and devices are left out, and the rest is read', async () => {
    const more = [
      { name: 'repo/docs/link.md', type: '2' },
      { name: 'repo/../../etc/passwd.md', text: page('escape') },
      { name: '/etc/passwd.md', text: page('absolute') },
      { name: 'repo/docs/device.md', type: '3' },
    ];
    const { code, urls } = await add('links', { files, more });
    expect({ code, urls }).toEqual({ code: 0, urls: ['file:///README.md'] });
    const left: { urls: ReadonlyArray<{ reason: string }> } = await library.json(
      'urls',
      'bad/links',
      '--outcome',
      'excluded',
    );
    expect(left.urls.map(({ reason }) => reason).toSorted()).toEqual([
      'absolute-path',
      'link',
      'parent-path',
      'special-file',
    ]);
  });

  test('a gzip bomb is stopped at the ratio of its limit', async () => {
    const bomb = gzipSync(Buffer.alloc(192 * 1024 * 1024));
    const { code, text, urls } = await add('bomb', { files, archive: bomb });
    expect({ code: code === 0, urls }).toEqual({ code: false, urls: [] });
    expect(text).toMatch(/expands to more than the allowed size|tar archive/);
  });

  test('an archive above the limit is refused, however much of it is sent', async () => {
    const large = packed('repo', { 'README.md': Array.from({ length: 60_000 }, (_, n) => `${n * 7919}`).join(' ') });
    const { code, text } = await add('large', { files, archive: large }, { PINAKES_FETCH_MAX_ARCHIVE_BYTES: '65536' });
    expect(code).not.toBe(0);
    expect(text).toContain('is too large');
  });

  test('an archive of another commit is refused', async () => {
    const { code, text } = await add('other', { files, comment: B });
    expect(code).not.toBe(0);
    expect(text).toContain(`it is of commit ${B}`);
  });
});

test.each(['gitlab', 'bitbucket'] as const)('a host of a forge like %s is found by trying', async (kind) => {
  library = await createLibrary('sqlite');
  const other = await startForge(kind);
  other.repositories['group/sub/kettle'] = {
    refs: { HEAD: A },
    commits: { [A]: { files: { 'README.md': page('a kettle') } } },
  };
  try {
    const added = await library.run('add', `git+${other.url}/group/sub/kettle`, '--wait');
    expect(added, added.stderr).toMatchObject({ code: 0 });
    expect(await storedUrls(library)).toEqual(['file:///README.md']);
  } finally {
    await other.close();
  }
});

test('a tag that does not exist is answered with one that may be meant', async () => {
  library = await createLibrary('sqlite');
  forge.repositories['tags/kettle'] = { refs: { HEAD: A, 'refs/tags/v1.2.0': A }, commits: {} };
  const { code, stdout, stderr } = await library.run('add', source('tags/kettle', '#v1.2.1'), '--wait');
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/no tag or branch v1\.2\.1.*v1\.2\.0/);
});
