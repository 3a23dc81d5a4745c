// go.mod, and go.sum for what an older go.mod does not list. Requirements marked as indirect are those of other modules.

import { compareVersions } from '../model/version-verdict.ts';
import { createPackageList, malformed, type LockedPackages, type LockfileText } from './locked-package.ts';

interface Replacement {
  readonly module: string;
  /** Null for a folder. */
  readonly version: string | null;
}

export function readGoMod({ path, text, manifests }: LockfileText): LockedPackages {
  if (!/^module\s/m.test(text)) throw malformed(path, 'it names no module');
  const list = createPackageList('go', path);
  const directives = [...readDirectives(text)];
  const replacements = new Map(directives.flatMap(({ verb, words }) => (verb === 'replace' ? replacement(words) : [])));
  const required = new Set<string>();
  for (const { words, comment } of directives.filter(({ verb }) => verb === 'require')) {
    const [module = '', version = ''] = words;
    required.add(module);
    const used = replacements.get(`${module}@${version}`) ?? replacements.get(module) ?? { module, version };
    const workspace = /^indirect\b/.test(comment) ? null : '';
    if (used.version === null) list.skip(module, 'local');
    else list.add({ name: used.module, version: used.version, workspace });
  }
  for (const [module, version] of sumVersions(manifests.get('go.sum') ?? ''))
    if (!required.has(module)) list.add({ name: module, version, workspace: null });
  return list.result();
}

interface Directive {
  readonly verb: string;
  readonly words: readonly string[];
  readonly comment: string;
}

function* readDirectives(text: string): Generator<Directive> {
  let block: string | null = null;
  for (const line of text.split('\n')) {
    const at = line.indexOf('//');
    const comment = at === -1 ? '' : line.slice(at + 2).trim();
    const words = (at === -1 ? line : line.slice(0, at))
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(unquote);
    const [verb = '', second] = words;
    if (verb === ')') block = null;
    else if (second === '(') block = verb;
    else if (block !== null && words.length > 0) yield { verb: block, words, comment };
    else if (words.length > 1) yield { verb, words: words.slice(1), comment };
  }
}

function unquote(word: string): string {
  return word.replace(/^["`](.*)["`]$/, '$1');
}

/** `old [version] => new [version]` */
function replacement(words: readonly string[]): ReadonlyArray<readonly [string, Replacement]> {
  const arrow = words.indexOf('=>');
  const [module, version] = words.slice(0, Math.max(0, arrow));
  const [target, targetVersion] = words.slice(arrow + 1);
  if (arrow === -1 || module === undefined || target === undefined) return [];
  const key = version === undefined ? module : `${module}@${version}`;
  return [[key, { module: target, version: targetVersion ?? null }]];
}

/** The highest version of a module whose content was hashed: the one in use. */
function sumVersions(text: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [module, version, sum] = line.split(' ');
    if (module === undefined || version === undefined || sum === undefined || version.endsWith('/go.mod')) continue;
    const known = versions.get(module);
    if (known === undefined || compareVersions(known, version) < 0) versions.set(module, version);
  }
  return versions;
}
