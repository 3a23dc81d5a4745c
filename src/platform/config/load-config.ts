// Loads the configuration: environment over file over default, each value with its origin. Anything unknown or invalid is
// an error, since a setting that is silently ignored is worse than one that is missing.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, resolve, win32 } from 'node:path';
import type { z } from 'zod';
import { withSuggestions } from '../../core/model/edit-distance.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { RENAMED_CRAWL_SETTINGS, RENAMED_SETTINGS } from './renamed-settings.ts';
import { configSchema, type Config } from './schema.ts';
import { CONFIG_FILE_ENV, TOKEN_ENV, describeSettings, ENV_PREFIX, envName, type Setting } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;

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
  /** Null if there is no such file. */
  readonly readFile: (path: string) => string | null;
  readonly platform?: NodeJS.Platform;
}

interface GivenValue {
  readonly value: unknown;
  readonly origin: Origin;
}

const DEFAULT: Origin = { kind: 'default' };

/** Reserved for variables of tests. */
const TEST_PREFIX = `${ENV_PREFIX}TEST_`;

export function loadConfig(sources: ConfigSources): LoadedConfig {
  const settings = describeSettings();
  const values = new Map([...fromFile(settings, sources), ...fromEnv(settings, sources.env)]);
  const schema = configSchema(defaultDataDir(sources.env, sources.platform ?? process.platform));
  const parsed = schema.safeParse(nestByPath(values));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const wrong = settings.find(({ path }) => `${issue?.path.join('.')}.`.startsWith(`${path}.`));
    throw invalidSetting(nameInOrigin(wrong?.path ?? '', values), messageOf(issue));
  }
  const origins = settings.map(({ path }) => [path, values.get(path)?.origin ?? DEFAULT] as const);
  return { config: parsed.data, origins: new Map(origins) };
}

function messageOf(issue: z.core.$ZodIssue | undefined): string {
  const key = issue?.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : '';
  const renamed = RENAMED_CRAWL_SETTINGS[key];
  return renamed === undefined ? (issue?.message ?? 'unusable') : `${key} was renamed to ${renamed}`;
}

/** A file that exists but cannot be read is an error, not an absent file. */
export function readConfigFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The folder that each system reserves for application data. */
function defaultDataDir(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return win32.join(
      env['LOCALAPPDATA'] || win32.join(env['USERPROFILE'] || homedir(), 'AppData', 'Local'),
      'pinakes',
    );
  }
  const home = env['HOME'] || homedir();
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'pinakes');
  // The XDG specification says to ignore a relative path.
  const data = env['XDG_DATA_HOME'];
  return posix.join(data?.startsWith('/') ? data : posix.join(home, '.local', 'share'), 'pinakes');
}

const NON_SETTING_ENV: ReadonlySet<string> = new Set([CONFIG_FILE_ENV, TOKEN_ENV]);

function fromEnv(settings: readonly Setting[], env: Env): Map<string, GivenValue> {
  const values = new Map<string, GivenValue>();
  const byName = new Map(settings.map((setting) => [setting.env, setting]));
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || name.startsWith(TEST_PREFIX) || NON_SETTING_ENV.has(name)) continue;
    const setting = byName.get(name);
    if (setting === undefined) throw unknownVariable(name, [CONFIG_FILE_ENV, ...byName.keys()]);
    // Many tools set an empty variable to mean "not set".
    if (text === undefined || text === '') continue;
    values.set(setting.path, { value: valueOf(setting, text), origin: { kind: 'env', name } });
  }
  return values;
}

function valueOf({ kind, env }: Setting, text: string): string | number | boolean | object {
  switch (kind) {
    case 'number':
      if (!/^-?\d{1,15}$/.test(text)) throw invalidSetting(env, 'not a whole number');
      return Number(text);
    case 'switch':
      if (text !== 'true' && text !== 'false') throw invalidSetting(env, 'neither true nor false');
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

function fromFile(settings: readonly Setting[], { env, cwd, readFile }: ConfigSources): Map<string, GivenValue> {
  const namedFile = env[CONFIG_FILE_ENV];
  const file = namedFile ? resolve(cwd, namedFile) : join(cwd, 'pinakes.config.json');
  const text = readFile(file);
  if (text === null) {
    if (namedFile) throw invalidSetting(CONFIG_FILE_ENV, `there is no file ${file}`);
    return new Map();
  }
  const paths = new Set(settings.map(({ path }) => path));
  const groups = new Set(settings.map(({ path }) => path.slice(0, Math.max(0, path.indexOf('.')))));
  const values = new Map<string, GivenValue>();
  const walk = (node: unknown, path: string): void => {
    if (paths.has(path)) values.set(path, { value: node, origin: { kind: 'file', file } });
    else if (!groups.has(path)) throw unknownKey(path, file, [...paths]);
    else if (!isGroup(node))
      throw invalidSetting(path === '' ? file : `${path} in ${file}`, 'must be an object of settings');
    else for (const [name, inner] of Object.entries(node)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(parseJson(text, file), '');
  return values;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may contain a password.
    throw invalidSetting(file, 'not valid JSON');
  }
}

function isGroup(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function nestByPath(values: ReadonlyMap<string, GivenValue>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, { value }] of values) {
    const [group = '', name] = path.split('.');
    if (name === undefined) whole[group] = value;
    else whole[group] = { ...(whole[group] as object | undefined), [name]: value };
  }
  return whole;
}

/** A setting as the user set it: by its variable, or by its path in the file. */
function nameInOrigin(path: string, values: ReadonlyMap<string, GivenValue>): string {
  const origin = values.get(path)?.origin ?? DEFAULT;
  switch (origin.kind) {
    case 'env':
      return origin.name;
    case 'file':
      return `${path} in ${origin.file}`;
    case 'default':
      return path;
  }
}

function invalidSetting(setting: string, why: string): Error {
  return pinakesError('config.invalid', { setting, why });
}

function unknownVariable(name: string, known: readonly string[]): Error {
  const renamed = Object.entries(RENAMED_SETTINGS).find(([old]) => envName(old.split('.')) === name)?.[1];
  if (renamed !== undefined) return invalidSetting(name, `it was renamed to ${envName(renamed.split('.'))}`);
  return pinakesError('config.unknown', { name: withSuggestions(name, known) });
}

function unknownKey(path: string, file: string, known: readonly string[]): Error {
  const renamed = Object.entries(RENAMED_SETTINGS).find(([old]) => old === path || old.startsWith(`${path}.`));
  if (renamed === undefined)
    return pinakesError('config.unknown', { name: `${withSuggestions(path, known)} in ${file}` });
  const [old, current] = renamed;
  return invalidSetting(`${path} in ${file}`, `${old} was renamed to ${current}`);
}
