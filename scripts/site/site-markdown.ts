// Turns a Markdown file of the project into a page of the site: the title becomes a fact, and links lead to other pages.

import { posix } from 'node:path';

export interface ProjectPage {
  readonly title: string;
  /** The first sentence, as plain text. */
  readonly description: string;
  /** Without the title. */
  readonly body: string;
}

export interface LinkPlaces {
  /** The address of a page of the site; null for a file that is none. */
  readonly pageAt: (file: string) => string | null;
  /** The address of a file that the site carries along; null for one that it does not. */
  readonly fileAt: (file: string) => string | null;
}

export function readProjectPage(text: string): ProjectPage {
  const [, title, rest] = /^# ([^\n]+)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || rest === undefined) throw new Error('a page begins with its title');
  const body = rest.replace(/^\s*<!--[^>]*-->/, '').trim();
  return { title: plain(title), description: firstSentence(body), body };
}

function firstSentence(body: string): string {
  const prose = body.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '');
  const paragraph = prose.split('\n\n').find((part) => /^[A-Z`*[]/.test(part)) ?? '';
  const text = plain(paragraph.replaceAll('\n', ' '));
  const end = text.search(/[.:](?= |$)/);
  return end < 0 ? text : text.slice(0, end);
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();
}

/** Code comes first, so that what looks like a link inside it is left alone. */
const LINK = /`+[^`\n]+`+|(?<mark>!?)\[(?<words>(?:[^[\]`]|`[^`]*`)*)\]\((?<target>[^)\s]+)\)/g;

/** A link that leads to nothing on the site becomes its own text. */
export function withSiteLinks(body: string, file: string, places: LinkPlaces): string {
  return outsideFences(body, (text) =>
    text.replaceAll(LINK, (...found) => {
      const { mark, words, target } = found.at(-1) as Partial<Record<'mark' | 'words' | 'target', string>>;
      const [path = '', fragment] = target?.split('#') ?? [];
      if (path === '' || /^[a-z]+:/i.test(path)) return found[0];
      const to = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
      const at = places.pageAt(to) ?? places.fileAt(to);
      if (at === null) return words ?? '';
      return `${mark}[${words}](${at}${fragment === undefined ? '' : `#${fragment}`})`;
    }),
  );
}

function outsideFences(body: string, change: (text: string) => string): string {
  return body.split(/^( {0,3}(?:`{3,}|~{3,})[^\n]*\n)/m).reduce<{ text: string; fence: string | null }>(
    ({ text, fence }, piece) => {
      const mark = /^ {0,3}(`{3,}|~{3,})[^\n]*\n$/.exec(piece)?.[1];
      const changed = fence === null && mark === undefined ? change(piece) : piece;
      const closes = fence !== null && mark?.startsWith(fence) === true && piece.trim() === mark;
      return { text: text + changed, fence: closes ? null : (fence ?? mark ?? null) };
    },
    { text: '', fence: null },
  ).text;
}
