// Which files of a package folder are documentation, and which kind: by path and size alone, before any file is read.

import type { PackageFile, PackageManifest } from './package-folder.ts';
import {
  BUILT_FOLDERS,
  CODE_ENDINGS,
  DOCUMENTATION_FOLDERS,
  EXAMPLE_FOLDERS,
  TRANSLATION_CODES,
  NOISE_FOLDERS,
  PROJECT_FILES,
  PROSE_ENDINGS,
} from './package-files.table.ts';
import { compareText } from '../text/compare-text.ts';

/** Most useful first: a limit on size takes the files in this order. */
export const PACKAGE_FILE_KINDS = [
  'readme',
  'guide',
  'skill',
  'changelog',
  'example',
  'metadata',
  'declarations',
  'source',
] as const;
export type PackageFileKind = (typeof PACKAGE_FILE_KINDS)[number];

export interface SelectedFile extends PackageFile {
  readonly kind: PackageFileKind;
}

const TEST_FILE = /(?:^|[._-])(?:test|tests|spec|bench|e2e)(?:\.|-d\.)|_test\.go$|^test_.*\.py$|^conftest\.py$/i;
const GENERATED_FILE =
  /\.min\.|\.map$|\.bundle\.|-lock\.|\.snap$|\.generated\.|(?:^|[._-])(?:bundle|umd|iife)\.[mc]?js$/i;
const CHANGELOG = /^(?:changelog|changes|history|releases?|release[-_]?notes|news|whats[-_]?new)(?=$|[._-])/i;
const MIGRATION = /^(?:upgrad|migrat|breaking)/i;
const MAX_SOURCE_BYTES = 500_000;

/** The files that are not noise, in the order of `PACKAGE_FILE_KINDS`, then by path. */
export function selectPackageFiles(manifest: PackageManifest, files: readonly PackageFile[]): SelectedFile[] {
  const paths = new Set(files.map(({ path }) => path));
  const selected = files.flatMap((file): SelectedFile[] => {
    const kind = fileKind(manifest, file, paths);
    return kind === null ? [] : [{ ...file, kind }];
  });
  return selected.toSorted((left, right) => rank(left) - rank(right) || compareText(left.path, right.path));
}

function rank({ kind }: SelectedFile): number {
  return PACKAGE_FILE_KINDS.indexOf(kind);
}

interface PathParts {
  /** Lower case. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly stem: string;
  readonly ending: string;
}

function fileKind(
  manifest: PackageManifest,
  { path, size }: PackageFile,
  paths: ReadonlySet<string>,
): PackageFileKind | null {
  const parts = splitPath(path);
  const { folders, name, ending } = parts;
  const isHidden = folders.some((folder) => folder.startsWith('.'));
  if (size === 0 || isHidden || isTranslation(parts)) return null;
  if (folders.at(-1)?.endsWith('.dist-info') === true) return metadataKind(manifest, name);
  if (PROSE_ENDINGS.has(ending) || isBareText(parts)) return proseKind(manifest, parts);
  if (isNoise(parts)) return null;
  if (/\.d\.[mc]?ts$|\.pyi$/.test(name)) return isDuplicate(path, paths) ? null : 'declarations';
  return size <= MAX_SOURCE_BYTES ? codeKind(parts) : null;
}

/** The metadata that an installer wrote for a Python package. */
function metadataKind({ ecosystem }: PackageManifest, name: string): PackageFileKind | null {
  return ecosystem === 'python' && name === 'metadata' ? 'metadata' : null;
}

function codeKind({ folders, ending }: PathParts): PackageFileKind | null {
  if (!CODE_ENDINGS.has(ending)) return null;
  if (folders.some((folder) => EXAMPLE_FOLDERS.has(folder))) return 'example';
  return folders.some((folder) => BUILT_FOLDERS.has(folder)) ? null : 'source';
}

function splitPath(path: string): PathParts {
  const folders = path.toLowerCase().split('/');
  const name = folders.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return { folders, name, stem: dot > 0 ? name.slice(0, dot) : name, ending: dot > 0 ? name.slice(dot + 1) : '' };
}

/** `README` and `CHANGES` without an ending, or as text. */
function isBareText({ name, stem, ending }: PathParts): boolean {
  return (ending === '' || ending === 'txt') && (stem.startsWith('readme') || CHANGELOG.test(name));
}

function isNoise({ folders, name }: PathParts): boolean {
  return TEST_FILE.test(name) || GENERATED_FILE.test(name) || folders.some((folder) => NOISE_FOLDERS.has(folder));
}

function proseKind(manifest: PackageManifest, parts: PathParts): PackageFileKind | null {
  const { folders, name, stem } = parts;
  const isDocumented = folders.some((folder) => DOCUMENTATION_FOLDERS.has(folder));
  const isDropped = isDocumented ? folders.some((folder) => NEVER_DOCUMENTED.has(folder)) : isNoise(parts);
  if (isDropped) return null;
  if (isForAgents(parts)) return 'skill';
  if (!isDocumented && PROJECT_FILES.has(stem)) return null;
  if (MIGRATION.test(stem)) return 'guide';
  if (CHANGELOG.test(name)) return isOfMajor(manifest, stem) ? 'changelog' : null;
  if (stem === 'readme' && folders.length === 0) return 'readme';
  return folders.some((folder) => EXAMPLE_FOLDERS.has(folder)) ? 'example' : guideKind(parts, isDocumented);
}

const NEVER_DOCUMENTED: ReadonlySet<string> = new Set(['__tests__', 'node_modules', 'compiled']);

function isForAgents({ folders, stem }: PathParts): boolean {
  return (
    stem === 'skill' || folders.includes('skills') || (folders.length === 0 && (stem === 'agents' || stem === 'claude'))
  );
}

/** A README of a source folder is about the source. */
function guideKind({ folders, stem }: PathParts, isDocumented: boolean): PackageFileKind | null {
  if (isDocumented) return 'guide';
  return stem === 'readme' || folders.some((folder) => BUILT_FOLDERS.has(folder)) ? null : 'guide';
}

/** `CHANGELOG-v4` is that of another major version if the package is at 5. */
function isOfMajor({ version }: PackageManifest, stem: string): boolean {
  const major = /^v?(\d+)/.exec(version)?.[1];
  const named = /(?:^|[._-])v?(\d{1,4})(?:[._-](?:\d+|x))*$/.exec(stem)?.[1];
  return named === undefined || major === undefined || Number(named) === Number(major);
}

/** `README.zh-CN.md`, `readme_ja.md`, `docs/fr/intro.md`. */
function isTranslation({ folders, stem }: PathParts): boolean {
  const [, ofFile] = /^.+?[._-]([a-z]{2,3})(?:[-_][a-z]{2,4})?$/.exec(stem) ?? [];
  const isText = /^(?:readme|changelog|contributing|index)/.test(stem);
  if (isText && ofFile !== undefined && TRANSLATION_CODES.has(ofFile)) return true;
  const at = folders.findIndex(
    (folder) => DOCUMENTATION_FOLDERS.has(folder) || folder === 'i18n' || folder === 'translations',
  );
  const [, ofFolder] = /^([a-z]{2,3})(?:[-_][a-z]{2,4})?$/.exec(at === -1 ? '' : (folders[at + 1] ?? '')) ?? [];
  return ofFolder !== undefined && TRANSLATION_CODES.has(ofFolder);
}

/** A copy of declarations for another module system or an older compiler. */
function isDuplicate(path: string, paths: ReadonlySet<string>): boolean {
  const plain = path.replace(/\.d\.[mc]ts$/, '.d.ts');
  if (plain !== path && paths.has(plain)) return true;
  if (/(?:^|\/)ts\d+\.\d+\//.test(path)) return true;
  const esm = path.replace(/(^|\/)cjs\//, '$1esm/');
  return esm !== path && (paths.has(esm) || paths.has(esm.replace(/\.d\.cts$/, '.d.ts')));
}
