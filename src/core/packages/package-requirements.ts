// What an npm package needs and how it is imported, as lines for its main page: an upgrade often changes these first.

import { isRecord } from '../extract/data/json-fields.ts';
import type { PackageManifest } from './package-folder.ts';

/** These begin the lines; items are inline code, a name and a value each. */
export const REQUIRES_LABEL = 'Requires: ';
export const FURTHER_ENTRIES_LABEL = 'Further modules: ';
export const MODULES_ONLY = 'It has ECMAScript modules only, and no CommonJS';
const MAX_ITEMS = 30;
const MAX_ENTRIES = 100;

/** Empty if the manifest says nothing of it. */
export function requirementLines({ name, fields }: PackageManifest, known: ReadonlySet<string>): string {
  const required = [...engines(fields), ...peers(fields)].slice(0, MAX_ITEMS);
  const items = required.map(([what, value]) => `\`${what}\` \`${value}\``);
  const further = subpaths(name, fields).filter((specifier) => !known.has(specifier));
  const lines = [
    items.length === 0 ? '' : `${REQUIRES_LABEL}${items.join(', ')}.`,
    moduleSystems(fields),
    further.length === 0
      ? ''
      : `${FURTHER_ENTRIES_LABEL}${further
          .slice(0, MAX_ENTRIES)
          .map((one) => `\`${one}\``)
          .join(', ')}.`,
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

type Fields = PackageManifest['fields'];
type Item = readonly [what: string, value: string];

function engines(fields: Fields): readonly Item[] {
  return itemsOf(fields['engines']).filter(([what]) => what === 'node');
}

function peers(fields: Fields): readonly Item[] {
  return itemsOf(fields['peerDependencies']).map(([what, value]) => [`peer ${what}`, value]);
}

/** Without what would end the inline code. */
function itemsOf(field: unknown): readonly Item[] {
  if (!isRecord(field)) return [];
  return Object.entries(field).flatMap(([what, value]) =>
    typeof value === 'string' && /^[^`\n]{1,100}$/.test(value) && /^[\w@/.-]{1,100}$/.test(what)
      ? [[what, value] as const]
      : [],
  );
}

/** Stated only if one of the two systems is missing from a manifest that lists its exports. */
function moduleSystems(fields: Fields): string {
  const exports = fields['exports'];
  if (exports === undefined || exports === null) return '';
  const text = JSON.stringify(exports).slice(0, 100_000);
  const isModule = fields['type'] === 'module';
  const hasRequire = text.includes('"require"') || /\.cjs"/.test(text) || (!isModule && /[^m]js"/.test(text));
  if (!hasRequire && isModule) return `${MODULES_ONLY}.`;
  return '';
}

/** The subpaths of `exports`; those that open a folder end with `/*`. */
function subpaths(name: string, fields: Fields): readonly string[] {
  const exports = fields['exports'];
  if (!isRecord(exports)) return [];
  return Object.entries(exports).flatMap(([key, target]) =>
    /^\.\/(?:[\w@./-]{0,100}\/)?(?:[\w@.-]{0,100}|\*)$/.test(key) && target !== null && !/\.(?:json|css)$/.test(key)
      ? [`${name}/${key.slice(2)}`.replace(/\/$/, '/*')]
      : [],
  );
}
