// Turns an action's input schema into a command's arguments and flags.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import type { Action, CliDoor } from '../../actions/action.ts';
import { isLocalStart } from '../../core/local/local-source-name.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Field[];
}

export function doorsOf({ doors: { cli } }: Action): readonly CliDoor[] {
  return 'command' in cli ? [cli] : cli;
}

export function commandOfAction(action: Action, door: CliDoor): Command {
  const { command: word, positional, example, says = {}, summary = action.summary } = door;
  const command = new Command(word.split(' ').at(-1))
    .summary(summary)
    .description(`${summary}\n\nExample:\n  $ ${example}`);
  const schema = z.toJSONSchema(action.input, { io: 'input' }) as {
    properties?: Record<string, Field>;
    required?: string[];
  };
  const required = new Set(schema.required ?? []);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (name in says) continue;
    if (positional.includes(name))
      command.argument(required.has(name) ? `<${name}>` : `[${name}]`, field.description ?? '');
    else command.addOption(optionOf(name, field).makeOptionMandatory(required.has(name)));
  }
  return command;
}

function optionOf(name: string, field: Field): Option {
  const type = typeOf(field);
  const flag = `--${kebab(name)}`;
  const text = field.description ?? '';
  if (type === 'boolean') return new Option(flag, text);
  const option = new Option(
    type === 'array' ? `${flag} <${placeholder(name)}...>` : `${flag} <${placeholder(name)}>`,
    text,
  );
  if (field.enum !== undefined) option.choices([...field.enum]);
  // Said, not set: the action's own schema fills it in.
  if (isShown(field.default)) option.default(undefined, String(field.default));
  if (type === 'integer' || type === 'number') option.argParser(mayBeNull(field) ? numberOrNone : numberOf);
  return option;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It is not a number.');
  return value;
}

/** What has a limit can be set free again. */
function numberOrNone(text: string): number | string {
  return text === NONE ? text : numberOf(text);
}

const NONE = 'none';

function mayBeNull(field: Field): boolean {
  return typesOf(field).includes('null');
}

function typesOf({ type = [], anyOf = [] }: Field): readonly string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesOf)];
}

/** `none` takes a value away where there may be none, and empties a list. */
function withNone(field: Field, value: unknown): unknown {
  if (value === NONE && mayBeNull(field)) return null;
  return typeOf(field) === 'array' && Array.isArray(value) && value.length === 1 && value[0] === NONE ? [] : value;
}

function typeOf(field: Field): string | undefined {
  return typesOf(field).find((type) => type !== 'null');
}

function isShown(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `--max-depth <depth>`, `--requests-per-second <requests>`: the word that says what is counted. */
function placeholder(name: string): string {
  const [counted = name] = kebab(name).split('-per-');
  return counted.slice(counted.lastIndexOf('-') + 1);
}

/** An input as the user knows it: a flag with its dashes, an argument by its name. */
export function nameOnCli({ positional }: CliDoor, path: readonly PropertyKey[]): string {
  const [name = '', ...rest] = path.map(String);
  const shown = positional.includes(name) ? name : `--${kebab(name)}`;
  return [shown, ...rest].join('.');
}

/** What the user gave, by input name: what the word says, arguments, then flags. Paths are made absolute, since another
 * process may read them. */
export function givenInput(
  action: Action,
  door: CliDoor,
  args: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = fieldsOf(action);
  const named = door.positional.map((name, i) => [name, numeric(fields[name] ?? {}, args[i])] as const);
  const fromFlags = Object.entries(flags).flatMap(([name, value]) => {
    const field = fields[name];
    return field === undefined ? [] : [[name, withNone(field, value)] as const];
  });
  const given = [...Object.entries(door.says ?? {}), ...named, ...fromFlags].filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, fromHere(door, name, value)]));
}

/** A word that is no file here is left as it was written: it may be an address without its scheme, or a name. */
function fromHere({ paths = [] }: CliDoor, name: string, value: unknown): unknown {
  if (!paths.includes(name) || typeof value !== 'string' || value === '' || !isLocalStart(value)) return value;
  const path = resolve(value);
  return !existsSync(path) && !/^[./\\~]/.test(value) ? value : path;
}

function fieldsOf(action: Action): Readonly<Record<string, Field>> {
  return (z.toJSONSchema(action.input, { io: 'input' }) as { properties?: Record<string, Field> }).properties ?? {};
}

function numeric(field: Field, value: unknown): unknown {
  const type = typeOf(field);
  // What is no number stays as it was written, so that the schema refuses it by that name.
  return typeof value === 'string' && type === 'integer' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
