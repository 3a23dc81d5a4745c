// A package of a registry as a user names it: `npm:zod`, `npm:zod@^3`, `pypi:requests@2.32`, `crate:serde`.

import { pinakesError } from '../model/errors.ts';
import type { ReaderEcosystem } from '../packages/package-folder.ts';

export const REGISTRIES = ['npm', 'pypi', 'cargo'] as const;
export type Registry = (typeof REGISTRIES)[number];

export interface PackageReference {
  readonly kind: 'package';
  readonly registry: Registry;
  readonly name: string;
  /** A version, a range or a tag; empty for the latest release. */
  readonly range: string;
}

/** `crate` is what Rust calls a package of cargo. */
const PREFIX = /^(npm|pypi|cargo|crate):/;
const NAMES: Readonly<Record<Registry, RegExp>> = {
  npm: /^(?:@[a-z\d~-][\w.~-]{0,100}\/)?[a-z\d~-][\w.~-]{0,200}$/i,
  pypi: /^[a-z\d](?:[\w.-]{0,150}[a-z\d])?$/i,
  cargo: /^[a-z][\w-]{0,63}$/i,
};
const RANGE = /^[\w.*^~<>=!+ -]{1,100}$/;

/** How the package is read when it is unpacked. */
export const REGISTRY_READERS: Readonly<Record<Registry, ReaderEcosystem>> = {
  npm: 'npm',
  pypi: 'python',
  cargo: 'rust',
};

export function isPackageReference(text: string): boolean {
  return PREFIX.test(text);
}

/** Raises `package.invalid`. */
export function parsePackageReference(text: string): PackageReference {
  const [start = '', prefix] = PREFIX.exec(text) ?? [];
  const registry = prefix === 'crate' ? 'cargo' : REGISTRIES.find((one) => one === prefix);
  const rest = text.slice(start.length);
  const at = rest.indexOf('@', 1);
  const name = at === -1 ? rest : rest.slice(0, at);
  const range = at === -1 ? '' : rest.slice(at + 1);
  if (registry === undefined || !NAMES[registry].test(name) || (range !== '' && !RANGE.test(range)))
    throw pinakesError('package.invalid', { reference: text.slice(0, 300) });
  return { kind: 'package', registry, name: registry === 'pypi' ? pypiName(name) : name, range };
}

/** PyPI takes `Foo.Bar`, `foo_bar` and `foo-bar` for the same name. */
function pypiName(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '-');
}
