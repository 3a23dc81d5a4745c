// Completes the command of an action: flags from its input schema, input from what the user typed, and messages for input that
// is invalid.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import type { Action, CliBinding } from '../../actions/action.ts';
import { isFilePath } from '../../core/model/source-name.ts';
import { cliFlagNamed } from './cli-flags.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { runAction } from './run-action.ts';
import { typeOf, typesOf, type TypedField } from '../input-types.ts';

interface Field extends TypedField {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

export interface CommandContext {
  readonly runtime: CliRuntime;
  readonly setCode: (code: number) => void;
}

export type CompleteCommand = (
  command: Command,
  completed: { readonly action: Action; readonly name: string },
  context: CommandContext,
) => void;

/** Adds to a listed command its description, its flags and what it does. */
export function completeCommand(
  command: Command,
  { action, name: words }: { readonly action: Action; readonly name: string },
  { runtime, setCode }: CommandContext,
): void {
  const binding = cliBindings(action).find((one) => one.command === words);
  if (binding === undefined) throw new Error(`${action.name} has no command ${words}`);
  command.description(`${command.summary()}\n\nExample:\n  $ ${binding.example}`);
  addFlags(command, action, binding);
  command.option('--json', 'Print the result as JSON');
  const cliFlags = (binding.flags ?? []).map((name) => [name, cliFlagNamed(name)] as const);
  for (const [, { option, description }] of cliFlags) command.option(option, description);
  command.action(async (...args: unknown[]) => {
    const flags = command.opts<Record<string, unknown>>();
    const input = collectInput(action, binding, args, flags);
    const { startsWorker = false } = binding;
    const nameOf = (path: readonly PropertyKey[]): string => cliInputName(binding, path);
    setCode(await runAction({ action, input, flags, cliFlags, nameOf, startsWorker }, runtime));
  });
}

export function cliBindings({ bindings: { cli } }: Action): readonly CliBinding[] {
  return 'command' in cli ? [cli] : cli;
}

function addFlags(command: Command, action: Action, { positional, fixedInput = {} }: CliBinding): void {
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
  const isOneOrMany = type === 'string' && typesOf(field).includes('array');
  const flag = `--${kebab(name)}`;
  const text = field.description ?? '';
  if (type === 'boolean') return new Option(flag, text);
  const option = new Option(
    type === 'array' ? `${flag} <${placeholder(name)}...>` : `${flag} <${placeholder(name)}>`,
    text,
  );
  // Repeated, not several after one flag: the words that follow belong to the query.
  if (isOneOrMany) option.argParser(collectOneOrMany);
  if (field.enum !== undefined) option.choices([...field.enum]);
  // Only shown, not set: the action's schema applies the default.
  if (isShown(field.default)) option.default(undefined, String(field.default));
  if (type === 'integer' || type === 'number') option.argParser(isNullable(field) ? parseNumberOrNone : parseNumber);
  return option;
}

function collectOneOrMany(text: string, previous: string | readonly string[] | undefined): string | readonly string[] {
  return previous === undefined ? text : [previous, text].flat();
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

/** `none` clears a nullable value and empties a list. */
function replaceNone(field: Field, value: unknown): unknown {
  if (value === NONE && isNullable(field)) return null;
  return typeOf(field) === 'array' && Array.isArray(value) && value.length === 1 && value[0] === NONE ? [] : value;
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
 * The input by name: what the command determines, then arguments, then flags. Paths are made absolute, those by default too,
 * since another process may read them.
 */
export function collectInput(
  action: Action,
  binding: CliBinding,
  args: readonly unknown[],
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields = fieldsOf(action);
  const positionalInput = binding.positional.map((name, i) => {
    const provided = args[i];
    return [name, numeric(fields[name] ?? {}, Array.isArray(provided) ? provided.join(' ') : provided)] as const;
  });
  const fromFlags = Object.entries(flags).flatMap(([name, value]) => {
    const field = fields[name];
    return field === undefined ? [] : [[name, replaceNone(field, value)] as const];
  });
  const defaultPaths = (binding.paths ?? []).map((name) => [name, fields[name]?.default] as const);
  const entries = [
    ...defaultPaths,
    ...Object.entries(binding.fixedInput ?? {}),
    ...positionalInput,
    ...fromFlags,
  ].filter(([, value]) => value !== undefined);
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
