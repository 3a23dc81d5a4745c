// A chunk's own file by the specification: YAML front matter in the full form, one `@llmx` line in the compact one.

import { parse } from 'yaml';

export type SpecifiedChunkFile =
  | {
      readonly layout: 'full';
      readonly ref: string;
      readonly path: string;
      readonly kind: string;
      readonly start: number;
      readonly end: number;
      readonly head: Readonly<Record<string, unknown>>;
      readonly body: string;
    }
  | {
      readonly layout: 'compact';
      readonly ref: string;
      readonly path: string;
      readonly kind: string;
      readonly start: number;
      readonly end: number;
      readonly label: string;
      readonly body: string;
    };

export function readChunkFile(text: string): SpecifiedChunkFile {
  const end = text.indexOf('\n');
  const first = text.slice(0, end);
  if (first === '---') return readFull(text);
  const cells = first.split('\t');
  if (cells[0] !== '@llmx' || cells.length !== 7) throw new Error(`not the line of a compact chunk: ${first}`);
  const [, ref, path, kind, startLine, endLine, label] = cells as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    layout: 'compact',
    ref,
    path,
    kind,
    start: Number(startLine),
    end: Number(endLine),
    label,
    body: text.slice(end + 1),
  };
}

function readFull(text: string): SpecifiedChunkFile {
  const close = text.indexOf('\n---\n', 4);
  if (close === -1) throw new Error('the front matter has no end');
  const head = parse(text.slice(4, close)) as Record<string, unknown>;
  for (const name of [
    'ref',
    'id',
    'slug',
    'path',
    'kind',
    'chunk_index',
    'start_line',
    'end_line',
    'content_hash',
    'token_estimate',
  ]) {
    if (head[name] === undefined) throw new Error(`the front matter has no ${name}`);
  }
  const [ref, path, kind] = [head['ref'], head['path'], head['kind']] as [string, string, string];
  return {
    layout: 'full',
    ref,
    path,
    kind,
    start: Number(head['start_line']),
    end: Number(head['end_line']),
    head,
    body: text.slice(close + '\n---\n'.length),
  };
}
