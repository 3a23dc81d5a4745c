// The input of a run over an installed package: stored with the run, so that any process can continue it, and so that a later sync knows
// what it has read.

import { fieldOf } from '../extract/data/json-fields.ts';
import type { ReaderEcosystem } from '../packages/package-folder.ts';
import { PACKAGE_READER_VERSION } from '../packages/read-package.ts';
import { stringOf, type Ecosystem, type LockedPackage } from './locked-package.ts';

/** Where an installed package is. */
export interface PackageFolderPath {
  /** Absolute, with every link resolved. */
  readonly folder: string;
  /** The file that lists its files, relative to the folder, if it shares the folder with other packages; otherwise null. */
  readonly record: string | null;
}

export interface PackageRun extends PackageFolderPath, Pick<LockedPackage, 'name' | 'version'> {
  readonly ecosystem: ReaderEcosystem;
  readonly includeSources: boolean;
  /** Hash of the files that decide what the package documents. */
  readonly content: string;
  readonly reader: number;
}

/** The ecosystems whose packages can be read. */
export const READERS: Readonly<Partial<Record<Ecosystem, ReaderEcosystem>>> = {
  npm: 'npm',
  pypi: 'python',
  cargo: 'rust',
  go: 'go',
};

/** The settings of a run, as it is stored. */
export function packageRunSettings(run: Omit<PackageRun, 'reader'>): { readonly package: PackageRun } {
  return { package: { ...run, reader: PACKAGE_READER_VERSION } };
}

/** Null for a run over anything else. */
export function readPackageRun(settings: Readonly<Record<string, unknown>>): PackageRun | null {
  const stored = fieldOf(settings, 'package');
  const ecosystem = Object.values(READERS).find((one) => one === stringOf(stored, 'ecosystem'));
  if (ecosystem === undefined) return null;
  const record = fieldOf(stored, 'record');
  return {
    ecosystem,
    name: stringOf(stored, 'name'),
    version: stringOf(stored, 'version'),
    folder: stringOf(stored, 'folder'),
    record: typeof record === 'string' ? record : null,
    includeSources: fieldOf(stored, 'includeSources') === true,
    content: stringOf(stored, 'content'),
    reader: Number(fieldOf(stored, 'reader')),
  };
}

/** The input of a sync now, independent of the folder on this machine. */
export type WantedRead = Pick<PackageRun, 'content' | 'includeSources'>;

export function hasRead(run: PackageRun, { content, includeSources }: WantedRead): boolean {
  return run.reader === PACKAGE_READER_VERSION && run.includeSources === includeSources && run.content === content;
}
