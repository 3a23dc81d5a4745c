// Turns an action into a command: arguments and flags from its input schema, input from what the user typed, and messages
// for input that is invalid.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import type { Action, CliBinding } from '../../actions/action.ts';
import { actionList } from '../../actions/actions.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { isFilePath } from '../../core/model/source-name.ts';
import { RENAMED_COMMANDS, RENAMED_INPUTS } from '../renamed-inputs.ts';

interface Field {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Field[];
}

export function cliBindings({ bindings: { cli } }: Action): readonly CliBinding[] {
  return 'command' in cli ? [cli] : cli;
}

/** The command with its arguments, which the list of commands shows; its flags are added only where they are needed. */
export function createActionCommand(action: Action, binding: CliBinding): Command {
  const { command: commandName, positional, example, fixedInput = {}, summary = action.summary } = binding;
  const command = new Command(commandName.split(' ').at(-1))
    .summary(summary)
    .description(`${summary}\n\nExample:\n  $ ${example}`);
  for (const [name, field] of Object.entries(action.input.shape)) {
    if (name in fixedInput || !positional.includes(name)) continue;
    const argument = binding.joinsWords && name === positional.at(-1) ? `${name}...` : name;
    command.argument(field.isOptional() ? `[${argument}]` : `<${argument}>`, field.description ?? '');
  }
  return command;
}

/** Costs more than the rest of the command, so a program that has one command to run adds the flags of that one. */
export function addFlags(command: Command, action: Action, { positional, fixedInput = {} }: CliBinding): void {
  const schema = z.toJSONSchema(action.input, { io: 'input' }) as {
    properties?: Record<string, Field>;
    required?: string[];
  };
  const required = new Set(schema.required ?? []);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (name in fixedInput || positional.includes(name)) continue;
    command.addOption(createOption(name, field).makeOptionMandatory(required.has(name)));
  }
}

function createOption(name: string, field: Field): Option {
  const type = typeOf(field);
  const flag = `--${kebab(name)}`;
  const text = field.description ?? '';
  if (type === 'boolean') return new Option(flag, text);
  const option = new Option(
    type === 'array' ? `${flag} <${placeholder(name)}...>` : `${flag} <${placeholder(name)}>`,
    text,
  );
  if (field.enum !== undefined) option.choices([...field.enum]);
  // Only shown, not set: the action's schema applies the default.
  if (isShown(field.default)) option.default(undefined, String(field.default));
  if (type === 'integer' || type === 'number') option.argParser(isNullable(field) ? parseNumberOrNone : parseNumber);
  return option;
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** `none` removes a limit again. */
function parseNumberOrNone(text: string): number | string {
  return text === NONE ? text : parseNumber(text);
}

const NONE = 'none';

function isNullable(field: Field): boolean {
  return typesOf(field).includes('null');
}

function typesOf({ type = [], anyOf = [] }: Field): readonly string[] {
  return [...(typeof type === 'string' ? [type] : type), ...anyOf.flatMap(typesOf)];
}

/** `none` clears a nullable value and empties a list. */
function replaceNone(field: Field, value: unknown): unknown {
  if (value === NONE && isNullable(field)) return null;
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

/** `--max-depth <depth>`, `--requests-per-second <requests>`: the unit of the value. */
function placeholder(name: string): string {
  const [counted = name] = kebab(name).split('-per-');
  return counted.slice(counted.lastIndexOf('-') + 1);
}

/** An input as the user typed it: a flag with its dashes, an argument by its name. */
export function cliInputName({ positional }: CliBinding, path: readonly PropertyKey[]): string {
  const [name = '', ...rest] = path.map(String);
  const shown = positional.includes(name) ? name : `--${kebab(name)}`;
  return [shown, ...rest].join('.');
}

/**
 * The input by name: what the command determines, then arguments, then flags. Paths are made absolute, since another process
 * may read them.
 */
export function collectInput(
  action: Action,
  binding: CliBinding,
  args: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = fieldsOf(action);
  const positionalInput = binding.positional.map((name, i) => {
    const given = args[i];
    return [name, numeric(fields[name] ?? {}, Array.isArray(given) ? given.join(' ') : given)] as const;
  });
  const fromFlags = Object.entries(flags).flatMap(([name, value]) => {
    const field = fields[name];
    return field === undefined ? [] : [[name, replaceNone(field, value)] as const];
  });
  const entries = [...Object.entries(binding.fixedInput ?? {}), ...positionalInput, ...fromFlags].filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, resolvePath(binding, name, value)]));
}

/** A word that is not a local file is left unchanged: it may be a URL without its scheme, or a name. */
function resolvePath({ paths = [] }: CliBinding, name: string, value: unknown): unknown {
  if (!paths.includes(name) || typeof value !== 'string' || ['', '-'].includes(value) || !isFilePath(value))
    return value;
  const path = resolve(value);
  return !existsSync(path) && !/^[./\\~]/.test(value) ? value : path;
}

function fieldsOf(action: Action): Readonly<Record<string, Field>> {
  return (z.toJSONSchema(action.input, { io: 'input' }) as { properties?: Record<string, Field> }).properties ?? {};
}

function numeric(field: Field, value: unknown): unknown {
  const type = typeOf(field);
  // What is not a number stays a string, so that the schema rejects it by name.
  return typeof value === 'string' && type === 'integer' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

/** Raises `input.invalid` for a command or flag under its old name. */
export function checkRenamed(argv: readonly string[]): void {
  const words = argv.filter((word) => !word.startsWith('-'));
  const command = RENAMED_COMMANDS[words[0] ?? ''];
  if (command !== undefined)
    throw pinakesError('input.invalid', { why: `pinakes ${words[0] ?? ''} was renamed to pinakes ${command}` });
  const typed = `${words.join(' ')} `;
  const action = actionList.find((one) => cliBindings(one).some((binding) => typed.startsWith(`${binding.command} `)));
  const renames = Object.entries(RENAMED_INPUTS[action?.name ?? ''] ?? {});
  for (const word of argv) {
    const renamed = renames.find(([old]) => word.split('=')[0] === `--${kebab(old)}`);
    if (renamed !== undefined)
      throw pinakesError('input.invalid', { why: `--${kebab(renamed[0])} was renamed to --${kebab(renamed[1])}` });
  }
}
