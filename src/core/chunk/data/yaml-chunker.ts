// Chunks YAML as JSON is chunked: one chunk per top-level key, elements of lists in groups. A comment belongs to the key
// below it. A file of several documents is a list of them.

import { CST } from 'yaml';
import { yamlDocuments } from '../../extract/data/parse-yaml.ts';
import type { Chunker } from '../chunker.ts';
import { chunkStructure, coverParent, type Member, type Structure } from './structured-chunks.ts';

export const yamlChunker: Chunker = {
  name: 'yaml',
  version: 1,
  formats: ['yaml'],
  chunk: (document, limits) => chunkStructure(document, limits, yamlStructure(document.text)),
};

interface Part {
  readonly key: string | number;
  readonly at: number;
  readonly value: CST.Token | null;
}

function yamlStructure(text: string): Structure {
  const documents = yamlDocuments(text) ?? [];
  const root: Member = { key: '', at: 0, start: 0, end: text.length };
  /** The value of every member returned so far. */
  const values = new Map<Member, CST.Token | null>();
  const cover = (parent: Member, parts: readonly Part[]): readonly Member[] | null => {
    if (parts.length === 0) return null;
    const members = coverParent(text, parent, parts);
    for (const [at, member] of members.entries()) values.set(member, parts[at]?.value ?? null);
    return members;
  };
  return {
    root,
    members(parent) {
      if (parent === root && documents.length > 1) return cover(root, documents.map(documentPart));
      const value = parent === root ? documents[0]?.value : values.get(parent);
      return cover(parent, partsOf(value ?? null));
    },
  };
}

function documentPart({ start, offset, value }: CST.Document, key: number): Part {
  return { key, at: start[0]?.offset ?? offset, value: value ?? null };
}

function partsOf(value: CST.Token | null): readonly Part[] {
  if (value?.type !== 'block-map' && value?.type !== 'block-seq') return [];
  return value.items.flatMap((item, index): readonly Part[] => {
    const at = itemStart(item);
    if (at === null) return [];
    const key = value.type === 'block-seq' ? index : keyText(item.key ?? null);
    return [{ key, at, value: item.value ?? null }];
  });
}

/** Where the comments above it start, or else the item itself; null for an item that has only comments. */
function itemStart({ start, key, sep }: CST.CollectionItem): number | null {
  const marks = start.filter(({ type }) => type !== 'space' && type !== 'newline' && type !== 'comment');
  const own = marks[0] ?? key ?? sep?.[0];
  if (own === undefined || own === null) return null;
  return start.find(({ type }) => type === 'comment')?.offset ?? own.offset;
}

function keyText(key: CST.Token | null): string {
  if (key === null) return '';
  return CST.isScalar(key) ? CST.resolveAsScalar(key, false, () => {}).value : CST.stringify(key).trim();
}
