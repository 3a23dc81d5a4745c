// Turns a Markdown file of the project into a page of the site: the title becomes metadata, and links lead to other pages.

import { posix } from 'node:path';

export interface ProjectPage {
  readonly title: string;
  /** The first sentence, as plain text. */
  readonly description: string;
  /** Without the title. */
  readonly body: string;
}

export interface LinkTargets {
  /** The URL of a page of the site; null for a file that is not a page. */
  readonly pageAt: (file: string) => string | null;
  /** The URL of a file that the site includes; null for one that it does not. */
  readonly fileAt: (file: string) => string | null;
}

export function readProjectPage(text: string): ProjectPage {
  const [, title, rest] = /^# ([^\n]+)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || rest === undefined) throw new Error('a page must start with its title');
  const body = rest.replace(/^\s*<!--[^>]*-->/, '').trim();
  return { title: plain(title), description: firstSentence(body), body };
}

function firstSentence(body: string): string {
  // The status of a decision says nothing about its subject.
  const prose = body.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '').replace(/^## Status\n[\s\S]*?(?=^## )/m, '');
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

/** Code is matched first, so that what looks like a link inside it is not changed. */
const LINK = /`+[^`\n]+`+|(?<mark>!?)\[(?<words>(?:[^[\]`]|`[^`]*`)*)\]\((?<target>[^)\s]+)\)/g;

/** A link to a file that is not on the site is replaced by its text. */
export function withSiteLinks(body: string, file: string, targets: LinkTargets): string {
  return outsideFences(body, (text) =>
    text.replaceAll(LINK, (...found) => {
      const { mark, words, target } = found.at(-1) as Partial<Record<'mark' | 'words' | 'target', string>>;
      const [path = '', fragment] = target?.split('#') ?? [];
      if (path === '' || /^[a-z]+:/i.test(path)) return found[0];
      const to = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
      const at = targets.pageAt(to) ?? targets.fileAt(to);
      if (at === null) return words ?? '';
      return `${mark}[${words}](${at}${fragment === undefined ? '' : `#${fragment}`})`;
    }),
  );
}

function outsideFences(body: string, change: (text: string) => string): string {
  return body.split(/^( {0,3}(?:`{3,}|~{3,})[^\n]*\n)/m).reduce<{ text: string; fence: string | null }>(
    ({ text, fence }, part) => {
      const mark = /^ {0,3}(`{3,}|~{3,})[^\n]*\n$/.exec(part)?.[1];
      const changed = fence === null && mark === undefined ? change(part) : part;
      const closes = fence !== null && mark?.startsWith(fence) === true && part.trim() === mark;
      return { text: text + changed, fence: closes ? null : (fence ?? mark ?? null) };
    },
    { text: '', fence: null },
  ).text;
}
