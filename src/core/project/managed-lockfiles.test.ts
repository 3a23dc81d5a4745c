// Lockfiles as real managers write them, of one monorepo with two versions of a package, an alias and a link between its workspaces.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLockfileText } from '../../../test/support/read-lockfile-text.ts';

const DATA = join(import.meta.dirname, '../../../test/data/lockfiles');
const shared = JSON.parse(readFileSync(join(DATA, 'manifests.json'), 'utf8')) as Readonly<Record<string, unknown>>;
const manifests = Object.fromEntries(
  Object.entries(shared).map(([path, manifest]) => [path, JSON.stringify(manifest)]),
);

/** Name, version, the workspaces that depend on it, and the name by which they import it. */
const INSTALLED = [
  ['@types/ms', '2.1.0', [''], []],
  ['chalk', '5.4.1', ['packages/web'], ['chalk5']],
  ['debug', '4.4.1', ['packages/api'], []],
  ['ms', '2.1.3', [''], []],
  ['p-limit', '6.2.0', ['packages/web'], []],
  ['yocto-queue', '1.2.2', [], []],
  ['zod', '3.25.76', ['packages/api'], []],
  ['zod', '4.1.5', [''], []],
];

test.each([
  ['npm', 'package-lock.json'],
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['berry', 'yarn.lock'],
  ['bun', 'bun.lock'],
])('%s: its %s has the packages that it installed', (manager, file) => {
  const text = readFileSync(join(DATA, manager, file), 'utf8');
  const { packages, skipped } = readLockfileText(file, text, manifests);
  const listed = packages.map(({ name, version, workspaces, aliases }) => [name, version, workspaces, aliases]);
  expect(listed).toEqual(INSTALLED);
  expect(packages.filter(({ isDirect }) => !isDirect).map(({ name }) => name)).toEqual(['yocto-queue']);
  expect(skipped.every(({ reason }) => reason === 'local')).toBe(true);
});

test.each([
  ['cargo', 'Cargo.lock', []],
  ['go', 'go.mod', ['go.sum']],
  ['pipenv', 'Pipfile.lock', ['Pipfile']],
  ['bundler', 'Gemfile.lock', []],
  ['composer', 'composer.lock', ['composer.json']],
])('%s: %s of a real project has the packages of a list that another program wrote', (manager, file, others) => {
  const textOf = (name: string): string => readFileSync(join(DATA, manager, name), 'utf8');
  const beside = Object.fromEntries(others.map((name) => [name, textOf(name)]));
  const { packages } = readLockfileText(file, textOf(file), beside);
  const read = packages.map(({ name, version, isDirect }) => [name, version, isDirect ? 'direct' : 'indirect']);
  const expected = textOf('packages.tsv').trimEnd().split('\n');
  expect(read.map((row) => row.join('\t')).toSorted()).toEqual(expected.toSorted());
});
