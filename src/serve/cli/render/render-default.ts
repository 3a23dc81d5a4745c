// How the result of an action looks in a terminal, if nothing is written for it: fields, tables and texts, from its shape.

import { renderFields, renderRows, type OutputFormat, type Row } from './columns.ts';

type Fields = Readonly<Record<string, unknown>>;

export function renderDefault(result: unknown, format: OutputFormat): string {
  if (!isFields(result)) return `${cellOf(result)}\n`;
  const { cursors, ...fields } = result;
  const all = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const inline = all.filter(([, value]) => !isTable(value) && !isText(value));
  const parts = [
    renderFields(
      inline.map(([name, value]) => [wordsOf(name), cellOf(value)]),
      format,
    ),
    ...all.flatMap(([name, value]) => (isTable(value) ? [renderTable(name, value, format)] : [])),
    ...all.flatMap(([, value]) => (isText(value) ? [value.endsWith('\n') ? value : `${value}\n`] : [])),
    isFields(cursors) ? olderHint({ nextBefore: cursors['nextBefore'] }) : '',
  ];
  return parts.filter((part) => part !== '').join('\n') || 'Done.\n';
}

/** For a list that goes from the newest to older ones. */
export function olderHint({ nextBefore }: { readonly nextBefore?: unknown }): string {
  return typeof nextBefore === 'number' ? `There are more. Add to the same command: --before ${nextBefore}\n` : '';
}

/** A column for each field that a row has. */
function renderTable(name: string, rows: readonly Fields[], format: OutputFormat): string {
  if (rows.length === 0) return `No ${wordsOf(name)}.\n`;
  const cells = rows.map((row): Row => {
    const named = Object.entries(row).map(
      ([field, value]) => [wordsOf(field), typeof value === 'number' ? value : cellOf(value)] as const,
    );
    return Object.fromEntries(named);
  });
  return renderRows(cells, format);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !value.some((one) => typeof one === 'object')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.every(isFields);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n');
}

/** `nextRunAt` is shown as `next run at`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
