// Registers Pinakes with an assistant: writes one entry into its list of MCP servers, keeps a backup of the file next to it,
// and can undo the change.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pinakesError } from '../../../core/model/errors.ts';
import type { LoadedConfig } from '../../../platform/config/load-config.ts';
import { CLIENTS, type Client, type Machine } from './clients.table.ts';
import { withJsonEntry, withTomlEntry } from './config-entry.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface SetupResult {
  readonly client: string;
  readonly file: string;
  /** The new content of the file, or what it would be. */
  readonly text: string;
  readonly outcome: 'written' | 'shown' | 'undone' | 'unchanged';
  /** Path of the backup; null if there is none. */
  readonly backup: string | null;
  readonly hint: string;
}

const NAME = 'pinakes';
/** Content of the backup if there was no file. */
const NO_FILE_MARKER = 'pinakes: there was no file\n';

/** Raises `input.invalid` or `setup.unreadable`. */
export function setupClient(
  name: string,
  mode: 'write' | 'show' | 'undo',
  { machine, server }: { readonly machine: Machine; readonly server: ServerCommand },
): SetupResult {
  const client = CLIENTS[name];
  if (client === undefined)
    throw pinakesError('input.invalid', {
      why: `unknown client ${name}; use one of: ${Object.keys(CLIENTS).join(', ')}`,
    });
  const file = client.file(machine);
  const backupPath = `${file}.before-pinakes`;
  const about = { client: client.title, file, hint: client.hint };
  if (mode === 'undo') return { ...about, ...undo(file, backupPath) };
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = addEntry(client, before, server);
  if (text === null) throw pinakesError('setup.unreadable', { file });
  const backup = existsSync(backupPath) ? backupPath : null;
  if (mode === 'show') return { ...about, text, outcome: 'shown', backup };
  if (text === before) return { ...about, text, outcome: 'unchanged', backup };
  mkdirSync(dirname(file), { recursive: true });
  // Only the first backup has the user's own file; later ones would contain our entry.
  if (!existsSync(backupPath)) {
    if (existsSync(file)) copyFileSync(file, backupPath);
    else writeFileSync(backupPath, NO_FILE_MARKER);
  }
  writeFileSync(`${file}.part`, text, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return { ...about, text, outcome: 'written', backup: backupPath };
}

function addEntry(
  { form, key, extraFields = {} }: Client,
  before: string,
  { command, args, env }: ServerCommand,
): string | null {
  const entry = { ...extraFields, command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
  return form === 'toml' ? withTomlEntry(before, [key, NAME], entry) : withJsonEntry(before, [key, NAME], entry);
}

function undo(file: string, backupPath: string): Pick<SetupResult, 'text' | 'outcome' | 'backup'> {
  if (!existsSync(backupPath)) return { text: '', outcome: 'unchanged', backup: null };
  const before = readFileSync(backupPath, 'utf8');
  if (before === NO_FILE_MARKER) rmSync(file, { force: true });
  else copyFileSync(backupPath, file);
  rmSync(backupPath);
  return { text: before === NO_FILE_MARKER ? '' : before, outcome: 'undone', backup: null };
}

/**
 * The command by which an assistant starts this program: the way it was started now, with the settings an assistant needs
 * because it has another environment. Never a secret.
 *
 * Assistants start it in the folder that is open, which can be anybody's repository. So every path is absolute, the config
 * file is named, which leaves one in that folder unread, and npx gets a prefix: otherwise it prefers a `pinakes` of that
 * folder, and obeys the registry that its `.npmrc` names.
 */
export function mcpCommand(
  { config: { server, dataDir }, origins, configFile }: LoadedConfig,
  script: string,
  home: string,
): ServerCommand {
  const more = server === undefined ? [] : ['--server', server];
  const env = {
    ...(origins.get('dataDir')?.kind === 'env' ? { PINAKES_DATA_DIR: dataDir } : {}),
    PINAKES_CONFIG: configFile,
  };
  // What npx downloaded may be gone tomorrow; an installed program stays in place, and desktop programs have no PATH.
  const isTemporary = /[/\\]_npx[/\\]/.test(script);
  return isTemporary
    ? { command: 'npx', args: ['-y', `--prefix=${home}`, 'pinakes', 'mcp', ...more], env }
    : { command: process.execPath, args: [script, 'mcp', ...more], env };
}
