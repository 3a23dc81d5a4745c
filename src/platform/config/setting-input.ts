// A value that the user gave for a setting, and where it comes from.

import { pinakesError } from '../../core/model/errors.ts';

export type Origin =
  | { readonly kind: 'default' }
  /** Set by a program that uses the library. */
  | { readonly kind: 'program' }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'env'; readonly name: string }
  /** `name` as typed, such as `--port`. */
  | { readonly kind: 'flag'; readonly name: string };

export interface SettingInput {
  readonly value: unknown;
  readonly origin: Origin;
}

/** By setting path, such as `fetch.timeoutMs`. */
export type SettingInputs = ReadonlyMap<string, SettingInput>;

/** `name` is the setting as the user wrote it: a variable, a flag, or a path in a file. */
export function invalidSetting(name: string, reason: string): Error {
  return pinakesError('config.invalid', { setting: name, reason });
}

export function parseSettingJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may contain a password.
    throw invalidSetting(name, 'not valid JSON');
  }
}
