// The settings as a flat list, read off the schema: how each is called, in a file and in the environment.

import type { z } from 'zod';
import { configSchema, type Config } from './schema.ts';

type SettingKind = 'text' | 'number' | 'switch' | 'list' | 'choice' | 'json';

export interface Setting {
  /** As in a config file, with dots: `fetch.timeoutMs`. */
  readonly path: string;
  /** `PINAKES_FETCH_TIMEOUT_MS`. */
  readonly env: string;
  readonly kind: SettingKind;
  readonly choices: readonly string[];
  /** As one would write it in a variable; null where there is none. */
  readonly defaultText: string | null;
  readonly description: string;
  readonly secret: boolean;
}

export const ENV_PREFIX = 'PINAKES_';

/** The token for a server elsewhere. Only from the environment: it is in no file and in no list of settings. */
export const TOKEN_ENV = 'PINAKES_TOKEN';

/** Names the config file; no setting itself. */
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
  return settingsOf(configSchema('').shape, []);
}

export function settingValue(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], config);
}

function settingsOf(shape: Readonly<Record<string, z.core.$ZodType>>, above: readonly string[]): Setting[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = [...above, name];
    const inner = bare(schema);
    return isObject(inner) ? settingsOf(inner.shape, path) : [settingOf(path, schema as z.ZodType)];
  });
}

function settingOf(path: readonly string[], schema: z.ZodType): Setting {
  const inner = bare(schema);
  const meta = metaOf(schema);
  return {
    path: path.join('.'),
    env: envName(path),
    kind: KINDS[inner._zod.def.type] ?? 'text',
    choices: inner._zod.def.type === 'enum' ? Object.keys((inner as z.core.$ZodEnum)._zod.def.entries) : [],
    defaultText: meta.defaultText ?? textOf(schema.safeParse(undefined).data),
    description: meta.description ?? '',
    secret: meta.secret ?? false,
  };
}

function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(',');
  return value === undefined ? null : JSON.stringify(value).replaceAll('"', '');
}

function envName(path: readonly string[]): string {
  return ENV_PREFIX + path.map((word) => word.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_');
}

/** The schema without its default and `optional`. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while ('innerType' in inner._zod.def) inner = inner._zod.def.innerType as z.core.$ZodType;
  return inner;
}

/** A description or a mark may have been given before or after the default; the outer one wins. */
function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const own = (schema as z.ZodType).meta() ?? {};
  return 'innerType' in schema._zod.def ? { ...metaOf(schema._zod.def.innerType as z.core.$ZodType), ...own } : own;
}

function isObject(schema: z.core.$ZodType): schema is z.core.$ZodObject & { shape: Record<string, z.core.$ZodType> } {
  return schema._zod.def.type === 'object';
}
