// Registers Pinakes with an assistant: writes one entry into its list of MCP servers, and removes it again. The rest of the
// file stays as it is; a backup of the file as it was before is kept next to it.

import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pinakesError } from '../../../core/model/errors.ts';
import { uuid } from '../../../platform/clock.ts';
import type { LoadedConfig } from '../../../platform/config/load-config.ts';
import { CLIENTS, type Client, type Machine } from './clients.table.ts';
import { withJsonEntry, withoutJsonEntry } from './json-entry.ts';
import { MalformedText, type Removals } from './malformed-text.ts';
import { withTomlEntry, withoutTomlEntry } from './toml-entry.ts';

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

export interface SetupOptions {
  readonly machine: Machine;
  readonly server: ServerCommand;
  /** Offer the tools that change the library. */
  readonly allowWrites?: boolean;
  /** Load all tools at the start, in a client that otherwise loads them on demand. */
  readonly alwaysLoad?: boolean;
}

/** Raises `input.invalid` or `setup.unreadable`. */
export function setupClient(
  name: string,
  mode: 'write' | 'show' | 'undo',
  { machine, server, allowWrites = false, alwaysLoad = false }: SetupOptions,
): SetupResult {
  const client = CLIENTS[name];
  if (client === undefined)
    throw pinakesError('input.invalid', {
      reason: `unknown client ${name}; use one of: ${Object.keys(CLIENTS).join(', ')}`,
    });
  if (alwaysLoad && client.alwaysLoadFields === undefined)
    throw pinakesError('input.invalid', { reason: `${client.title} has no --always-load: it loads all tools anyway` });
  // A link, into a folder of dotfiles for instance, stays a link.
  const named = client.file(machine);
  const file = existsSync(named) ? realpathSync(named) : named;
  const about = { client: client.title, file, hint: client.hint };
  const env = { ...server.env, ...(allowWrites ? { PINAKES_SERVE_WRITE_TOOLS: 'true' } : {}) };
  try {
    const result =
      mode === 'undo' ? undo(client, file) : register(client, file, { ...server, env }, { mode, alwaysLoad });
    return { ...about, ...result };
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw pinakesError('setup.unreadable', { file, line: error.line, reason: error.message }, error);
  }
}

type Change = Pick<SetupResult, 'text' | 'outcome' | 'backup'>;

function register(
  client: Client,
  file: string,
  server: ServerCommand,
  { mode, alwaysLoad }: { readonly mode: 'write' | 'show'; readonly alwaysLoad: boolean },
): Change {
  const before = readIfPresent(file) ?? '';
  const extraFields = { ...client.extraFields, ...(alwaysLoad ? client.alwaysLoadFields : {}) };
  const text = addEntry({ ...client, extraFields }, before, server);
  const backup = existsSync(backupOf(file)) ? backupOf(file) : null;
  if (mode === 'show') return { text, outcome: 'shown', backup };
  if (text === before) return { text, outcome: 'unchanged', backup };
  mkdirSync(dirname(file), { recursive: true });
  keepBackup(client, file, before);
  replaceFile(file, text);
  return { text, outcome: 'written', backup: backupOf(file) };
}

/** Removes the entry and nothing else: an assistant may have changed its file many times since. */
function undo(client: Client, file: string): Change {
  const current = readIfPresent(file);
  const removals = current === null ? null : removalsOf(client, current);
  if (removals === null || removals.ofEntry.length === 0)
    return { text: current ?? '', outcome: 'unchanged', backup: null };
  const backup = readIfPresent(backupOf(file));
  const text = chooseRemoval(client, removals, backup);
  const isOurFile = backup === NO_FILE_MARKER && ['', '{}'].includes(text.trim());
  if (isOurFile) rmSync(file);
  else replaceFile(file, text);
  rmSync(backupOf(file), { force: true });
  return { text: isOurFile ? '' : text, outcome: 'undone', backup: null };
}

/** The bytes of the backup if nothing else changed since; otherwise an empty group stays unless it came with the entry. */
function chooseRemoval({ key }: Client, { ofEntry, ofGroup }: Removals, backup: string | null): string {
  const same = [...ofEntry, ...ofGroup].find((text) => text === backup);
  const cameWithEntry = backup !== null && !backup.includes(`"${key}"`);
  return same ?? (cameWithEntry ? ofGroup[0] : undefined) ?? ofEntry[0] ?? '';
}

/** Stays if only the entry was added since: it is still the file as the user had it. */
function keepBackup(client: Client, file: string, before: string): void {
  const backup = readIfPresent(backupOf(file));
  const { ofEntry, ofGroup } = removalsOf(client, before);
  const texts = [...ofEntry, ...ofGroup];
  const isCurrent =
    backup === NO_FILE_MARKER ? texts.some((text) => ['', '{}'].includes(text.trim())) : texts.includes(backup ?? '');
  if (backup !== null && isCurrent) return;
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  rmSync(backupOf(file), { force: true });
  writeFileSync(backupOf(file), existsSync(file) ? before : NO_FILE_MARKER, { mode, flag: 'wx' });
}

function backupOf(file: string): string {
  return `${file}.before-pinakes`;
}

function readIfPresent(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

function replaceFile(file: string, text: string): void {
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
  const temporary = `${file}.${uuid()}.part`;
  writeFileSync(temporary, text, { mode, flag: 'wx' });
  renameSync(temporary, file);
}

function addEntry(
  { format, key, extraFields = {} }: Client,
  before: string,
  { command, args, env }: ServerCommand,
): string {
  const entry = { ...extraFields, command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
  const text =
    format === 'toml' ? withTomlEntry(before, [key, NAME], entry) : withJsonEntry(before, [key, NAME], entry);
  // Raises for a text that would not be readable.
  removalsOf({ format, key }, text);
  return text;
}

function removalsOf({ format, key }: Pick<Client, 'format' | 'key'>, text: string): Removals {
  return format === 'toml' ? withoutTomlEntry(text, [key, NAME]) : withoutJsonEntry(text, [key, NAME]);
}

/**
 * The command by which an assistant starts this program: the way it was started now, with the settings an assistant needs
 * because it has another environment. Never a secret.
 *
 * Assistants start it in the folder that is open, which can be any author's repository. So every path is absolute, the config
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
