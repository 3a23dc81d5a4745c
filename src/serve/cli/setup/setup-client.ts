// Tells an assistant where Pinakes is: writes one entry into its list of MCP servers, keeps the file as it was beside it,
// and can take the change back.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pinakesError } from '../../../core/model/errors.ts';
import { CLIENTS, type Client, type Machine } from './clients.table.ts';
import { withJsonEntry } from './config-entry.ts';
import { withTomlEntry } from './toml-entry.ts';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface SetUp {
  readonly client: string;
  readonly file: string;
  /** What is there now, or would be. */
  readonly text: string;
  readonly done: 'written' | 'shown' | 'undone' | 'unchanged';
  /** The file as it was; null where there was none. */
  readonly backup: string | null;
  readonly hint: string;
}

const NAME = 'pinakes';
/** In place of a file that was not there. */
const NOTHING = 'pinakes: there was no file\n';

/** Raises `input.invalid` or `setup.unreadable`. */
export function setUpClient(
  name: string,
  wish: 'write' | 'show' | 'undo',
  { machine, server }: { readonly machine: Machine; readonly server: ServerCommand },
): SetUp {
  const client = CLIENTS[name];
  if (client === undefined)
    throw pinakesError('input.invalid', {
      why: `there is no client ${name}; there are: ${Object.keys(CLIENTS).join(', ')}`,
    });
  const file = client.file(machine);
  const kept = `${file}.before-pinakes`;
  const about = { client: client.title, file, hint: client.hint };
  if (wish === 'undo') return { ...about, ...undo(file, kept) };
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = entered(client, before, server);
  if (text === null) throw pinakesError('setup.unreadable', { file });
  const backup = existsSync(kept) ? kept : null;
  if (wish === 'show') return { ...about, text, done: 'shown', backup };
  if (text === before) return { ...about, text, done: 'unchanged', backup };
  mkdirSync(dirname(file), { recursive: true });
  // The first one is what the user had before us; later ones are our own.
  if (!existsSync(kept)) {
    if (existsSync(file)) copyFileSync(file, kept);
    else writeFileSync(kept, NOTHING);
  }
  writeFileSync(`${file}.part`, text, { mode: 0o600 });
  renameSync(`${file}.part`, file);
  return { ...about, text, done: 'written', backup: kept };
}

function entered(
  { form, key, more = {} }: Client,
  before: string,
  { command, args, env }: ServerCommand,
): string | null {
  const entry = { ...more, command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
  return form === 'toml' ? withTomlEntry(before, [key, NAME], entry) : withJsonEntry(before, [key, NAME], entry);
}

function undo(file: string, kept: string): Pick<SetUp, 'text' | 'done' | 'backup'> {
  if (!existsSync(kept)) return { text: '', done: 'unchanged', backup: null };
  const before = readFileSync(kept, 'utf8');
  if (before === NOTHING) rmSync(file, { force: true });
  else copyFileSync(kept, file);
  rmSync(kept);
  return { text: before === NOTHING ? '' : before, done: 'undone', backup: null };
}
