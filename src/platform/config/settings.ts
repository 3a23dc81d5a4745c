// The settings as a flat list derived from the schema, with their names in a config file and in the environment.

import type { z } from 'zod';
import { configSchema } from './schema.ts';
import type { FolderNarrowing } from './setting-kinds.ts';

type SettingKind = 'text' | 'number' | 'switch' | 'list' | 'choice' | 'json';

export interface Setting {
  /** As in a config file, with dots: `fetch.timeoutMs`. */
  readonly path: string;
  /** `PINAKES_FETCH_TIMEOUT_MS`. */
  readonly env: string;
  readonly kind: SettingKind;
  readonly choices: readonly string[];
  /** As written in a variable; null if there is none. */
  readonly defaultText: string | null;
  readonly description: string;
  readonly secret: boolean;
  readonly isPath: boolean;
  /** How a config file in the working folder may narrow it; null if it may not set it. */
  readonly inWorkingFolder: FolderNarrowing | null;
}

export const ENV_PREFIX = 'PINAKES_';

/** The token for a remote server. Read from the environment only: it is in no file and in no list of settings. */
export const TOKEN_ENV = 'PINAKES_TOKEN';

/** Names the config file; it is not a setting itself. */
export const CONFIG_FILE_ENV = 'PINAKES_CONFIG';

const KINDS: Readonly<Record<string, SettingKind>> = {
  array: 'list',
  boolean: 'switch',
  enum: 'choice',
  number: 'number',
  record: 'json',
};

/** For the reference page, `config print` and the loader. */
export function describeSettings(): readonly Setting[] {
  return flattenSettings(configSchema('').shape, []);
}

export function settingValue(config: object, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], config);
}

function flattenSettings(shape: Readonly<Record<string, z.core.$ZodType>>, parents: readonly string[]): Setting[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...parents, name];
    const inner = unwrap(schema);
    return isObject(inner) ? flattenSettings(inner.shape, path) : [describeSetting(path, schema as z.ZodType)];
  });
}

function describeSetting(path: readonly string[], schema: z.ZodType): Setting {
  const inner = unwrap(schema);
  const meta = metaOf(schema);
  return {
    path: path.join('.'),
    env: envName(path),
    kind: KINDS[inner._zod.def.type] ?? 'text',
    choices: inner._zod.def.type === 'enum' ? Object.keys((inner as z.core.$ZodEnum)._zod.def.entries) : [],
    defaultText: meta.defaultText ?? defaultTextOf(schema.safeParse(undefined).data),
    description: meta.description ?? '',
    secret: meta.secret ?? false,
    isPath: meta.isPath ?? false,
    inWorkingFolder: meta.inWorkingFolder ?? null,
  };
}

function defaultTextOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(',');
  return value === undefined ? null : JSON.stringify(value).replaceAll('"', '');
}

export function envName(path: readonly string[]): string {
  return ENV_PREFIX + path.map((word) => word.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_');
}

/** The schema without its default and `optional`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while ('innerType' in inner._zod.def) inner = inner._zod.def.innerType as z.core.$ZodType;
  return inner;
}

/** Metadata may be attached before or after the default; the outer one wins. */
function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const own = (schema as z.ZodType).meta() ?? {};
  return 'innerType' in schema._zod.def ? { ...metaOf(schema._zod.def.innerType as z.core.$ZodType), ...own } : own;
}

function isObject(schema: z.core.$ZodType): schema is z.core.$ZodObject & { shape: Record<string, z.core.$ZodType> } {
  return schema._zod.def.type === 'object';
}
