// Finds the keys of block-style YAML by their indent. Values are never read, so aliases and tags mean nothing here.

import { coverParent, type Member, type Structure } from './structure.ts';

const KEY = /^(?:"([^"\\]{1,300})"|'([^']{1,300})'|([^\s"'#&*!|>%@`[\]{},-][^:#]{0,300}?))\s{0,20}:(?=\s|$)/;

export const yamlStructure: Structure = {
  members(text, parent) {
    const starts: Array<{ readonly key: string; readonly at: number }> = [];
    const parentIndent = parent.key === '' ? -1 : indentAt(text, parent.at);
    let indent = -1;
    for (const line of linesBelow(text, parent)) {
      if (indent === -1) indent = line.indent;
      if (line.indent <= parentIndent) return null;
      if (line.indent !== indent) continue;
      const key = KEY.exec(text.slice(line.at, Math.min(line.end, line.at + 400)));
      if (key === null) return null;
      starts.push({ key: key[1] ?? key[2] ?? key[3] ?? '', at: line.at });
    }
    return starts.length === 0 ? null : coverParent(text, parent, starts);
  },
};

export function yamlRoot(text: string): Member {
  return { key: '', at: 0, start: 0, end: text.length };
}

interface YamlLine {
  readonly at: number;
  readonly end: number;
  readonly indent: number;
}

/** The lines of a member's value that are neither blank, nor a comment, nor a document mark. */
function* linesBelow(text: string, parent: Member): Generator<YamlLine> {
  let from = parent.key === '' ? parent.start : nextLine(text, parent.at);
  while (from < parent.end) {
    const next = nextLine(text, from);
    const end = Math.min(next, parent.end);
    let at = from;
    while (at < end && text.charCodeAt(at) === 0x20) at += 1;
    const code = at < end ? text.charCodeAt(at) : 0x0a;
    const isMark = at === from && (text.startsWith('---', at) || text.startsWith('%', at));
    if (code !== 0x0a && code !== 0x23 && !isMark) yield { at, end, indent: at - from };
    from = next;
  }
}

function nextLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed === -1 ? text.length : feed + 1;
}

function indentAt(text: string, at: number): number {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  return at - start;
}
