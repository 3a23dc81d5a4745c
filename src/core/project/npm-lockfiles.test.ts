import { expect, test } from 'vitest';
import type { LockedPackages } from './locked-package.ts';
import { LOCKFILES, readLockfile } from './read-lockfile.ts';

function read(file: string, text: string, manifests: Readonly<Record<string, string>> = {}): LockedPackages {
  const kind = LOCKFILES.find((one) => one.file === file);
  if (kind === undefined) throw new Error(`no reader for ${file}`);
  return readLockfile(kind, { path: file, text, manifests: new Map(Object.entries(manifests)) });
}

/** `name@version` with its workspaces for a direct dependency, and a minus sign for one that only others use. */
function listed({ packages }: LockedPackages): string[] {
  return packages.map(({ name, version, isDirect, workspaces, aliases }) => {
    const uses = isDirect ? workspaces.map((workspace) => workspace || '.').join(' ') : '-';
    return [`${name}@${version}`, uses, ...(aliases.length === 0 ? [] : [`as ${aliases.join(' ')}`])].join(' ');
  });
}

test('package-lock.json: each workspace uses the copy that Node resolves, links are the project’s own', () => {
  const text = JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { name: 'root', workspaces: ['packages/*'], devDependencies: { zod: '^4', 'old-zod': 'npm:zod@^3' } },
      'packages/a': { name: '@x/a', dependencies: { zod: '^3', ms: '^2', '@x/b': '*' } },
      'packages/b': { name: '@x/b', dependencies: { zod: '^4', '@x/a': '*' }, optionalDependencies: { fsevents: '2' } },
      'node_modules/@x/a': { resolved: 'packages/a', link: true },
      'node_modules/@x/b': { resolved: 'packages/b', link: true },
      'node_modules/zod': { version: '4.1.0', resolved: 'https://registry.example/zod.tgz', integrity: 'sha512-x' },
      'node_modules/old-zod': { name: 'zod', version: '3.24.0' },
      'packages/a/node_modules/zod': { version: '3.25.1' },
      'node_modules/ms': { version: '2.1.3', dependencies: { deep: '1' } },
      'node_modules/ms/node_modules/deep': { version: '1.0.0' },
    },
  });
  for (const file of ['package-lock.json', 'npm-shrinkwrap.json']) {
    const found = read(file, text);
    expect(listed(found)).toEqual([
      'deep@1.0.0 -',
      'ms@2.1.3 packages/a',
      'zod@3.24.0 . as old-zod',
      'zod@3.25.1 packages/a',
      'zod@4.1.0 . packages/b',
    ]);
    expect(found.packages.find(({ version }) => version === '3.25.1')?.folders).toEqual([
      'packages/a/node_modules/zod',
    ]);
    expect(found.skipped).toEqual([
      { name: '@x/a', reason: 'local' },
      { name: '@x/b', reason: 'local' },
    ]);
  }
  expect(() => read('package-lock.json', '{"lockfileVersion":1,"dependencies":{}}')).toThrow(/npm 7/);
});

test('pnpm-lock.yaml 5.4: versions with peers after an underscore, one project or importers', () => {
  const text = `lockfileVersion: 5.4
specifiers:
  react-dom: ^18
  typescript: ^5
  zod3: npm:zod@^3
dependencies:
  react-dom: 18.2.0_react@18.2.0
  zod3: /zod/3.22.4
devDependencies:
  typescript: 5.0.4
packages:
  /@babel/core/7.21.0_supports-color@5.5.0:
    resolution: {integrity: sha512-a==}
    dev: true
  /react-dom/18.2.0_react@18.2.0:
    resolution: {integrity: sha512-b==}
  /typescript/5.0.4:
    resolution: {integrity: sha512-c==}
    deprecated: |-
      two lines
      of text
  /zod/3.22.4:
    resolution: {integrity: sha512-d==}
`;
  expect(listed(read('pnpm-lock.yaml', text))).toEqual([
    '@babel/core@7.21.0 -',
    'react-dom@18.2.0 .',
    'typescript@5.0.4 .',
    'zod@3.22.4 . as zod3',
  ]);
});

test('pnpm-lock.yaml 6.0: references with versions, peers in parentheses', () => {
  const text = `lockfileVersion: '6.0'
settings:
  autoInstallPeers: true
importers:
  .:
    devDependencies:
      '@types/node':
        specifier: ^20
        version: 20.1.0
  packages/web:
    dependencies:
      react-dom:
        specifier: ^18
        version: 18.2.0(react@18.2.0)
      lib:
        specifier: workspace:*
        version: link:../lib
      old:
        specifier: npm:zod@^3
        version: /zod@3.22.4
packages:
  /@types/node@20.1.0:
    resolution: {integrity: sha512-a==}
  /react-dom@18.2.0(react@18.2.0):
    resolution: {integrity: sha512-b==}
  /react@18.2.0:
    resolution: {integrity: sha512-b==}
  /zod@3.22.4:
    resolution: {integrity: sha512-b==}
`;
  expect(listed(read('pnpm-lock.yaml', text))).toEqual([
    '@types/node@20.1.0 .',
    'react@18.2.0 -',
    'react-dom@18.2.0 packages/web',
    'zod@3.22.4 packages/web as old',
  ]);
});

test('pnpm-lock.yaml 9.0: snapshots repeat packages, Git packages have a version field', () => {
  const text = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      '@scope/ui':
        specifier: ^1
        version: 1.4.0(react@19.0.0)
      from-git:
        specifier: github:a/b
        version: https://codeload.github.com/a/b/tar.gz/0123
      old:
        specifier: npm:zod@^3
        version: zod@3.25.0
packages:
  '@scope/ui@1.4.0':
    resolution: {integrity: sha512-a==}
  from-git@https://codeload.github.com/a/b/tar.gz/0123:
    resolution: {tarball: https://codeload.github.com/a/b/tar.gz/0123}
    version: 2.0.0
  react@19.0.0:
    resolution: {integrity: sha512-b==}
  zod@3.25.0:
    resolution: {integrity: sha512-b==}
snapshots:
  '@scope/ui@1.4.0(react@19.0.0)':
    dependencies:
      react: 19.0.0
`;
  expect(listed(read('pnpm-lock.yaml', text))).toEqual([
    '@scope/ui@1.4.0 .',
    'from-git@2.0.0 .',
    'react@19.0.0 -',
    'zod@3.25.0 . as old',
  ]);
});

test('yarn.lock 1: the manifests of all workspaces say what is direct', () => {
  const text = `# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.24.0"
  resolved "https://registry.example/@babel/core/-/core-7.24.0.tgz#abc"
  integrity sha512-x
  dependencies:
    ms "^2.1.1"

ms@^2.1.1:
  version "2.1.3"
  resolved "https://registry.example/ms/-/ms-2.1.3.tgz#abc"

"old@npm:zod@^3":
  version "3.25.0"
  resolved "https://registry.example/zod/-/zod-3.25.0.tgz#abc"

zod@^4:
  version "4.1.0"
`;
  const manifests = {
    'package.json': JSON.stringify({ workspaces: ['packages/*'], dependencies: { zod: '^4' } }),
    'packages/a/package.json': JSON.stringify({
      dependencies: { '@babel/core': '^7.1.0', old: 'npm:zod@^3', b: '1.0.0' },
    }),
  };
  expect(listed(read('yarn.lock', text, manifests))).toEqual([
    '@babel/core@7.24.0 packages/a',
    'ms@2.1.3 -',
    'zod@3.25.0 packages/a as old',
    'zod@4.1.0 .',
  ]);
  expect(read('yarn.lock', text).packages.every(({ isDirect }) => isDirect)).toBe(true);
});

test('yarn.lock of Yarn 4: workspaces are entries, patched packages are the same packages', () => {
  const text = `# This file is generated by running "yarn install" inside your project.

__metadata:
  version: 8
  cacheKey: 10c0

"@x/a@workspace:*, @x/a@workspace:packages/a":
  version: 0.0.0-use.local
  resolution: "@x/a@workspace:packages/a"
  dependencies:
    "@x/root": "workspace:*"
    old: "npm:zod@^3"
  languageName: unknown
  linkType: soft

"@x/root@workspace:*, @x/root@workspace:.":
  version: 0.0.0-use.local
  resolution: "@x/root@workspace:."
  dependencies:
    "@x/a": "workspace:*"
    typescript: "npm:^5.4.0"
    ms: "npm:^2.1.0, ^2.1.3"
  languageName: unknown
  linkType: soft

"ms@npm:^2.1.1":
  version: 2.1.3
  resolution: "ms@npm:2.1.3"
  checksum: 10c0/ab
  languageName: node
  linkType: hard

"old@npm:zod@^3":
  version: 3.25.0
  resolution: "zod@npm:3.25.0"
  languageName: node
  linkType: hard

"typescript@npm:^5.4.0":
  version: 5.4.5
  resolution: "typescript@npm:5.4.5"
  languageName: node
  linkType: hard

"typescript@patch:typescript@npm%3A^5.4.0#optional!builtin<compat/typescript>":
  version: 5.4.5
  resolution: "typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=5adc0c"
  languageName: node
  linkType: hard
`;
  expect(listed(read('yarn.lock', text))).toEqual(['ms@2.1.3 -', 'typescript@5.4.5 .', 'zod@3.25.0 packages/a as old']);
});

test('bun.lock: trailing commas, copies of one workspace, aliases', () => {
  const text = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "root", "dependencies": { "zod": "^4", "@scope/ui": "^1", }, },
    "packages/a": {
      "name": "@x/a",
      "dependencies": { "zod": "^3", "@x/b": "workspace:*", "old": "npm:ms@1", },
    },
    "packages/b": { "name": "@x/b", "dependencies": { "@x/a": "workspace:*" } },
  },
  "packages": {
    "@scope/ui": ["@scope/ui@1.4.0", "", { "dependencies": { "ms": "2", "text": ",]" } }, "sha512-a=="],
    "@x/a": ["@x/a@workspace:packages/a"],
    "@x/b": ["@x/b@workspace:packages/b"],
    "ms": ["ms@2.1.3", "", {}, "sha512-a=="],
    "old": ["ms@1.0.0", "", {}, "sha512-a=="],
    "zod": ["zod@4.1.0", "", {}, "sha512-a=="],
    "@x/a/zod": ["zod@3.25.0", "", {}, "sha512-a=="],
  }
}
`;
  expect(listed(read('bun.lock', text))).toEqual([
    '@scope/ui@1.4.0 .',
    'ms@1.0.0 packages/a as old',
    'ms@2.1.3 -',
    'zod@3.25.0 packages/a',
    'zod@4.1.0 .',
  ]);
});
