// Loads the configuration: flags over environment over files over defaults, each value with its origin. Anything unknown or
// invalid is an error, since a setting that is silently ignored is worse than one that is missing.

import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { suggestNames, withSuggestions } from '../../core/text/edit-distance.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { issueText } from '../../core/text/issue-text.ts';
import { configFileToName, readConfigFiles, type ReadFile } from './config-files.ts';
import {
  invalidSetting,
  parseSettingJson,
  type SettingInput,
  type SettingInputs,
  type Origin,
} from './setting-input.ts';
import { configSchema, type Config, type ConfigValues } from './schema.ts';
import { CONFIG_FILE_ENV, describeSettings, ENV_PREFIX, settingValue, TOKEN_ENV, type Setting } from './settings.ts';
import { defaultDataDir, type Environment } from './standard-folders.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** By setting path, such as `fetch.timeoutMs`; every setting has one. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The config file that may set everything. The one in the user's configuration folder need not exist. */
  readonly configFile: string;
}

/** A setting that was given as a flag: its text, and the flag as typed. */
export type FlagValues = ReadonlyMap<string, { readonly text: string; readonly flag: string }>;

export interface ConfigSources {
  readonly env: Environment;
  /** Flags by setting path. */
  readonly flags?: FlagValues;
  readonly cwd: string;
  readonly readFile: ReadFile;
  readonly platform?: NodeJS.Platform;
}

const DEFAULT: Origin = { kind: 'default' };

/** Reserved for variables of tests. */
const TEST_PREFIX = `${ENV_PREFIX}TEST_`;

export function loadConfig({
  env,
  flags = new Map(),
  cwd,
  readFile,
  platform = process.platform,
}: ConfigSources): LoadedConfig {
  const settings = describeSettings();
  const schema = configSchema(defaultDataDir(env, platform));
  let defaults: Config | null = null;
  const defaultOf = (path: string): unknown => settingValue((defaults ??= schema.parse({})), path);
  const provided = new Map([
    ...readConfigFiles(settings, { env, cwd, platform, readFile, defaultOf }),
    ...fromEnv(settings, env),
    ...fromFlags(settings, flags),
  ]);
  const values = withAbsolutePaths(settings, provided, cwd);
  return { ...parseValues(schema, settings, values), configFile: configFileToName(env, cwd, platform) };
}

/** The settings that a program passes. Nothing else is read: no file, no variable. Raises `config.invalid`. */
export function configFromProgram(provided: ConfigValues, cwd: string): Omit<LoadedConfig, 'configFile'> {
  const settings = describeSettings();
  const schema = configSchema('');
  const unknown = schema
    .safeParse(provided, { reportInput: true })
    .error?.issues.find(({ code }) => code === 'unrecognized_keys');
  if (unknown !== undefined) throw unknownSetting(unknown, settings);
  const origin: Origin = { kind: 'program' };
  const values = settings.flatMap(({ path }) => {
    const value = settingValue(provided, path);
    return value === undefined ? [] : [[path, { value, origin }] as const];
  });
  return parseValues(schema, settings, withAbsolutePaths(settings, new Map(values), cwd));
}

function unknownSetting(issue: z.core.$ZodIssue, settings: readonly Setting[]): Error {
  const [key = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const name = [...issue.path, key].join('.');
  return invalidSetting(
    withSuggestions(
      name,
      settings.map(({ path }) => path),
    ),
    'there is no such setting',
  );
}

function parseValues(
  schema: ReturnType<typeof configSchema>,
  settings: readonly Setting[],
  values: SettingInputs,
): Omit<LoadedConfig, 'configFile'> {
  const parsed = schema.safeParse(nestByPath(values), { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const wrong = settings.find(({ path }) => `${issue?.path.join('.')}.`.startsWith(`${path}.`));
    throw invalidSetting(nameInOrigin(wrong?.path ?? '', values), issue === undefined ? 'unusable' : issueText(issue));
  }
  const origins = settings.map(({ path }) => [path, values.get(path)?.origin ?? DEFAULT] as const);
  return { config: parsed.data, origins: new Map(origins) };
}

/** Other processes, the background owner for instance, have another working folder. */
function withAbsolutePaths(settings: readonly Setting[], provided: SettingInputs, cwd: string): SettingInputs {
  const values = new Map(provided);
  for (const { path } of settings.filter(({ isPath }) => isPath)) {
    const { value, origin } = values.get(path) ?? { value: undefined, origin: DEFAULT };
    const folder = origin.kind === 'file' ? resolve(cwd, dirname(origin.file)) : cwd;
    const absolute = (one: unknown): unknown => (typeof one === 'string' && one !== '' ? resolve(folder, one) : one);
    if (value !== undefined)
      values.set(path, { value: Array.isArray(value) ? value.map(absolute) : absolute(value), origin });
  }
  return values;
}

const NON_SETTING_ENV: ReadonlySet<string> = new Set([CONFIG_FILE_ENV, TOKEN_ENV]);

function fromEnv(settings: readonly Setting[], env: Environment): Map<string, SettingInput> {
  const values = new Map<string, SettingInput>();
  const byName = new Map(settings.map((setting) => [setting.env, setting]));
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(ENV_PREFIX) || name.startsWith(TEST_PREFIX) || NON_SETTING_ENV.has(name)) continue;
    const setting = byName.get(name);
    if (setting === undefined) throw unknownVariable(name, [CONFIG_FILE_ENV, ...byName.keys()]);
    // Many tools set an empty variable to mean "not set".
    if (text === undefined || text === '') continue;
    values.set(setting.path, { value: valueOf(setting, text, name), origin: { kind: 'env', name } });
  }
  return values;
}

function fromFlags(settings: readonly Setting[], flags: FlagValues): Map<string, SettingInput> {
  const provided = settings.flatMap((setting) => {
    const { text, flag } = flags.get(setting.path) ?? { text: '', flag: '' };
    return flag === ''
      ? []
      : [[setting.path, { value: valueOf(setting, text, flag), origin: { kind: 'flag', name: flag } }] as const];
  });
  return new Map(provided);
}

/** `name` is the variable or the flag. */
function valueOf({ kind }: Setting, text: string, name: string): string | number | boolean | object {
  switch (kind) {
    case 'number':
      if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) throw invalidSetting(name, 'not a number');
      return Number(text);
    case 'switch':
      if (text !== 'true' && text !== 'false') throw invalidSetting(name, 'neither true nor false');
      return text === 'true';
    case 'list':
      return text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
    case 'json':
      return parseSettingJson(text, name) as object;
    case 'choice':
    case 'text':
      return text;
  }
}

function nestByPath(values: SettingInputs): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, { value }] of values) {
    const [group = '', name] = path.split('.');
    if (name === undefined) whole[group] = value;
    else whole[group] = { ...(whole[group] as object | undefined), [name]: value };
  }
  return whole;
}

/** A setting as the user set it: by its variable or flag, or by its path in the file. */
function nameInOrigin(path: string, values: SettingInputs): string {
  const origin = values.get(path)?.origin ?? DEFAULT;
  switch (origin.kind) {
    case 'env':
    case 'flag':
      return origin.name;
    case 'file':
      return `${path} in ${origin.file}`;
    case 'program':
    case 'default':
      return path;
  }
}

function unknownVariable(name: string, known: readonly string[]): Error {
  // Every name begins with the prefix, so it says nothing about which one was meant.
  const [bare = '', ...bareNames] = [name, ...known].map((one) => one.slice(ENV_PREFIX.length));
  const suggestions = suggestNames(bare, bareNames).map((one) => ENV_PREFIX + one);
  const suggestion = suggestions.length === 0 ? '' : ` (did you mean ${suggestions.join(' or ')}?)`;
  return pinakesError('config.unknown', { name: name + suggestion });
}
