// Reads fields of unvalidated JSON. Only own properties count, so `__proto__` and `constructor` are ordinary keys.

import { cleanText } from '../decode/clean-text.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The field as clean, trimmed text; empty if it is missing or not a string. */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? cleanText(field).trim() : '';
}

export function listOf(value: unknown, name: string): readonly unknown[] {
  const field = fieldOf(value, name);
  return Array.isArray(field) ? field : [];
}

/** Resolves a local `$ref` one step; the value itself if it is not a reference or points to another one. */
export function dereference(root: unknown, value: unknown): unknown {
  const reference = textOf(value, '$ref');
  if (!reference.startsWith('#/')) return value;
  const path = reference.slice(2).split('/').slice(0, 8);
  const target = path.reduce<unknown>(
    (at, step) => fieldOf(at, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  );
  return isRecord(target) && textOf(target, '$ref') === '' ? target : value;
}
