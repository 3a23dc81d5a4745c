// Puts the configuration together: environment over file over default, each value with its origin. Anything unknown or
// unusable is refused, since a setting that is silently ignored is worse than one that is missing.

import { join, resolve } from 'node:path';
import { pinakesError } from '../../core/model/errors.ts';
import { defaultDataDir, type Env } from './data-dir.ts';
import { nearestName } from './nearest-name.ts';
import { configSchema, type Config } from './schema.ts';
import { CONFIG_FILE_ENV, TOKEN_ENV, describeSettings, ENV_PREFIX, type Setting } from './settings.ts';

export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'env'; readonly name: string };

export interface LoadedConfig {
  readonly config: Config;
  /** By setting path, such as `fetch.timeoutMs`; every setting has one. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface ConfigSources {
  readonly env: Env;
  readonly cwd: string;
  /** Null where there is no such file. */
  readonly readFile: (path: string) => string | null;
  readonly platform?: NodeJS.Platform;
}

interface Given {
  readonly value: unknown;
  readonly origin: Origin;
}

const DEFAULT: Origin = { kind: 'default' };

/** Tests keep their own variables under this name. */
const RESERVED = `${ENV_PREFIX}TEST_`;

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const settings = describeSettings();
  const given = new Map([...fromFile(settings, sources), ...fromEnv(settings, sources.env)]);
  const schema = configSchema(defaultDataDir(sources.env, sources.platform ?? process.platform));
  const parsed = schema.safeParse(nested(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const wrong = settings.find(({ path }) => `${issue?.path.join('.')}.`.startsWith(`${path}.`));
    throw invalid(called(wrong?.path ?? '', given), issue?.message ?? 'unusable');
  }
  const origins = settings.map(({ path }) => [path, given.get(path)?.origin ?? DEFAULT] as const);
  return { config: parsed.data, origins: new Map(origins) };
}

const NO_SETTINGS: ReadonlySet<string> = new Set([CONFIG_FILE_ENV, TOKEN_ENV]);

function fromEnv(settings: readonly Setting[], env: Env): Map<string, Given> {
  const given = new Map<string, Given>();
  const byName = new Map(settings.map((setting) => [setting.env, setting]));
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || name.startsWith(RESERVED) || NO_SETTINGS.has(name)) continue;
    const setting = byName.get(name);
    if (setting === undefined) throw unknown(name, nearestName(name, [CONFIG_FILE_ENV, ...byName.keys()]));
    // An empty variable is how many tools say "not set".
    if (text === undefined || text === '') continue;
    given.set(setting.path, { value: valueOf(setting, text), origin: { kind: 'env', name } });
  }
  return given;
}

function valueOf({ kind, env }: Setting, text: string): string | number | boolean | object {
  switch (kind) {
    case 'number':
      if (!/^-?\d{1,15}$/.test(text)) throw invalid(env, 'not a whole number');
      return Number(text);
    case 'switch':
      if (text !== 'true' && text !== 'false') throw invalid(env, 'neither true nor false');
      return text === 'true';
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'json':
      return parseJson(text, env) as object;
    case 'choice':
    case 'text':
      return text;
  }
}

function fromFile(settings: readonly Setting[], { env, cwd, readFile }: ConfigSources): Map<string, Given> {
  const named = env[CONFIG_FILE_ENV];
  const file = named ? resolve(cwd, named) : join(cwd, 'pinakes.config.json');
  const text = readFile(file);
  if (text === null) {
    if (named) throw invalid(CONFIG_FILE_ENV, `there is no file ${file}`);
    return new Map();
  }
  const paths = new Set(settings.map(({ path }) => path));
  const groups = new Set(settings.map(({ path }) => path.slice(0, Math.max(0, path.indexOf('.')))));
  const given = new Map<string, Given>();
  const walk = (node: unknown, path: string): void => {
    if (paths.has(path)) given.set(path, { value: node, origin: { kind: 'file', file } });
    else if (!groups.has(path))
      throw unknown(
        `${path} in ${file}`,
        nearestName(
          path,
          settings.map((setting) => setting.path),
        ),
      );
    else if (!isGroup(node)) throw invalid(path === '' ? file : `${path} in ${file}`, 'must be an object of settings');
    else for (const [name, inner] of Object.entries(node)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(parseJson(text, file), '');
  return given;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own sentence quotes the text, which may hold a password.
    throw invalid(file, 'not valid JSON');
  }
}

function isGroup(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function nested(given: ReadonlyMap<string, Given>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, { value }] of given) {
    const [group = '', name] = path.split('.');
    if (name === undefined) whole[group] = value;
    else whole[group] = { ...(whole[group] as object | undefined), [name]: value };
  }
  return whole;
}

/** A setting as its writer knows it: by its variable, or by its place in the file. */
function called(path: string, given: ReadonlyMap<string, Given>): string {
  const origin = given.get(path)?.origin ?? DEFAULT;
  switch (origin.kind) {
    case 'env':
      return origin.name;
    case 'file':
      return `${path} in ${origin.file}`;
    case 'default':
      return path;
  }
}

function invalid(setting: string, why: string): Error {
  return pinakesError('config.invalid', { setting, why });
}

function unknown(name: string, near: string): Error {
  return pinakesError('config.unknown', { name, near });
}
