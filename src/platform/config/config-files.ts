// Reads config files. The one that PINAKES_CONFIG names, or else the one in the user's configuration folder, may set
// everything. One in the working folder may only narrow: the folder can be a repository by another author.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withSuggestions } from '../../core/text/edit-distance.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { invalidSetting, parseSettingJson, type SettingInput, type SettingInputs } from './setting-input.ts';
import { CONFIG_FILE_ENV, type Setting } from './settings.ts';
import { userConfigFile, type Environment } from './standard-folders.ts';

/** As the value of PINAKES_CONFIG: the file is read from standard input. */
export const STDIN = '-';

const FOLDER_FILE = 'pinakes.config.json';
const MAX_FOLDER_FILE_BYTES = 1_048_576;

/** Null if there is no such file. `folder` may be by any author. */
export type ReadFile = (path: string, trust: 'named' | 'folder') => string | null;

export interface FileSources {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly readFile: ReadFile;
  /** The default of a setting, for comparison with the value of a file in the working folder. */
  readonly defaultOf: (path: string) => unknown;
}

/** For another process of this user, which cannot read the same standard input. */
export function configFileToName(env: Environment, cwd: string, platform: NodeJS.Platform): string {
  const file = trustedConfigFile(env, cwd, platform);
  return file === STDIN ? userConfigFile(env, platform) : file;
}

function trustedConfigFile(env: Environment, cwd: string, platform: NodeJS.Platform): string {
  const named = env[CONFIG_FILE_ENV];
  if (!named) return userConfigFile(env, platform);
  return named === STDIN ? STDIN : resolve(cwd, named);
}

/** Raises `config.invalid`, `config.unknown` or `config.untrusted-folder`. */
export function readConfigFiles(settings: readonly Setting[], sources: FileSources): SettingInputs {
  const { env, cwd, platform, readFile } = sources;
  const file = trustedConfigFile(env, cwd, platform);
  const text = readFile(file, 'named');
  if (text === null && file !== userConfigFile(env, platform))
    throw invalidSetting(CONFIG_FILE_ENV, `there is no file ${file}`);
  const trusted = text === null ? new Map<string, SettingInput>() : readValues(settings, file, text);
  if (env[CONFIG_FILE_ENV]) return trusted;
  const folderFile = join(cwd, FOLDER_FILE);
  const folderText = readFile(folderFile, 'folder');
  if (folderText === null) return trusted;
  return narrow(settings, trusted, readValues(settings, folderFile, folderText), sources);
}

/** A file that exists but cannot be read is an error, not an absent file. */
export function readConfigFile(path: string, trust: 'named' | 'folder' = 'named'): string | null {
  try {
    if (path === STDIN) return readFileSync(0, 'utf8');
    if (trust === 'folder') checkFolderFile(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw code?.startsWith('E') ? invalidSetting(path, `it cannot be read (${code})`) : error;
  }
}

/** A link to a device or a pipe would be read forever. */
function checkFolderFile(path: string): void {
  const found = statSync(path);
  if (!found.isFile() || found.size > MAX_FOLDER_FILE_BYTES)
    throw invalidSetting(path, `it is not a file of at most ${MAX_FOLDER_FILE_BYTES} bytes`);
}

function readValues(settings: readonly Setting[], file: string, text: string): Map<string, SettingInput> {
  const paths = new Set(settings.map(({ path }) => path));
  const groups = new Set(settings.map(({ path }) => path.slice(0, Math.max(0, path.indexOf('.')))));
  const values = new Map<string, SettingInput>();
  const walk = (node: unknown, path: string): void => {
    if (paths.has(path)) values.set(path, { value: node, origin: { kind: 'file', file } });
    else if (!groups.has(path)) throw unknownKey(path, file, [...paths]);
    else if (!isGroup(node))
      throw invalidSetting(path === '' ? file : `${path} in ${file}`, 'must be an object of settings');
    else for (const [name, inner] of Object.entries(node)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(parseSettingJson(text, file), '');
  return values;
}

function isGroup(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function unknownKey(path: string, file: string, known: readonly string[]): Error {
  return pinakesError('config.unknown', { name: `${withSuggestions(path, known)} in ${file}` });
}

/** The stricter of the user's and the folder's value applies. */
function narrow(
  settings: readonly Setting[],
  trusted: SettingInputs,
  folder: SettingInputs,
  { env, platform, defaultOf }: FileSources,
): SettingInputs {
  const values = new Map(trusted);
  for (const setting of settings) {
    const provided = folder.get(setting.path);
    if (provided === undefined) continue;
    const base = trusted.get(setting.path)?.value ?? defaultOf(setting.path);
    const reason = rejection(setting, provided.value, base);
    if (reason === null) values.set(setting.path, provided);
    else if (setting.inWorkingFolder === null || !trusted.has(setting.path)) {
      const file = provided.origin.kind === 'file' ? provided.origin.file : '';
      throw pinakesError('config.untrusted-folder', {
        setting: setting.path,
        file,
        reason,
        userFile: userConfigFile(env, platform),
      });
    }
  }
  return values;
}

/** Why a file in the working folder may not set this value; null if it may. A value of the wrong type is left to the schema. */
function rejection({ inWorkingFolder }: Setting, value: unknown, base: unknown): string | null {
  if (inWorkingFolder === null) return 'a config file in the working folder may only narrow what Pinakes does';
  if (inWorkingFolder === 'enable')
    return value === false && base === true ? 'a config file in the working folder may only turn it on' : null;
  if (typeof value !== 'number' || typeof base !== 'number') return null;
  const isNarrower = inWorkingFolder === 'lower' ? value <= base : value >= base;
  return isNarrower ? null : `a config file in the working folder may only ${inWorkingFolder} it, and it is ${base}`;
}
