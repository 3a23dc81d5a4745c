// A page in a tag: `<doc url="…" title="…">`, `<page>` with front matter, `<document>` with `<source>`, or by title only.

import { frontMatterAt, isAddress } from './front-matter.ts';
import type { Marker } from './marker.ts';

export function wrapperMarker(lines: readonly string[], at: number): Marker | null {
  const tag = /^<(doc|page|document|file|article)(\s[^<>]{0,4000})?>\s*$/.exec(lines[at] ?? '');
  if (tag === null) return null;
  const [, name = '', written = ''] = tag;
  const attributes = readAttributes(written);
  const titled: Inside = { where: 'title', address: null, title: attributes.get('title') ?? null, lines: 0 };
  const inside =
    addressInAttributes(attributes) ?? addressInSource(lines, at) ?? addressInFrontMatter(lines, at) ?? titled;
  const { where, address, title, lines: skipped } = inside;
  if (address === null && title === null) return null;
  const form = `<${name} ${where}>`;
  const end = at + 1 + skipped;
  return {
    form,
    family: 'wrapper',
    address,
    title: title ?? titled.title,
    start: at,
    end,
    keep: null,
    closing: `</${name}>`,
  };
}

interface Inside {
  readonly where: string;
  readonly address: string | null;
  readonly title: string | null;
  /** How many lines after the tag are no part of the page. */
  readonly lines: number;
}

function addressInAttributes(attributes: ReadonlyMap<string, string>): Inside | null {
  for (const where of ['url', 'href', 'source', 'src', 'path']) {
    const address = attributes.get(where) ?? '';
    if (isAddress(address)) return { where, address, title: null, lines: 0 };
  }
  return null;
}

function addressInSource(lines: readonly string[], at: number): Inside | null {
  const [, where = '', address = ''] = /^\s*<(source|url)>\s*(\S+?)\s*<\/\1>\s*$/.exec(lines[at + 1] ?? '') ?? [];
  if (!isAddress(address)) return null;
  const contents = /^\s*<document_contents?>\s*$/.test(lines[at + 2] ?? '');
  return { where, address, title: null, lines: contents ? 2 : 1 };
}

function addressInFrontMatter(lines: readonly string[], at: number): Inside | null {
  const front = frontMatterAt(lines, at + 1);
  if (front === null || front.url === null) return null;
  return { where: 'front-matter', address: front.url, title: front.title, lines: front.end - at - 1 };
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of text.matchAll(/([a-zA-Z][\w-]{0,40})=(?:"([^"]*)"|'([^']*)')/g)) {
    attributes.set(name.toLowerCase(), (double ?? single ?? '').trim());
  }
  return attributes;
}
