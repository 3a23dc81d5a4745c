// The title of a document: the page's own heading where the head's title begins with it, else what the head says.

import type { OutlineEntry } from '../../model/document.ts';

export function pageTitle(headTitle: string | null, outline: readonly OutlineEntry[], url: string): string {
  const heading = (outline.find((entry) => entry.level === 1) ?? outline[0])?.text ?? '';
  if (headTitle === null) return heading !== '' ? heading : lastSegment(url);
  const isOwn = heading !== '' && (beginsWith(headTitle, heading) || endsWith(headTitle, heading));
  return isOwn ? heading : headTitle;
}

const SEPARATOR_AHEAD = /^\s*(?:[-–—|:·»«•‹›/]|$)/;
const SEPARATOR_BEHIND = /(?:^|[-–—|:·»«•‹›/])\s*$/;

/** `Items — Scrapy documentation` begins with `Items`; `Items of interest` does not. */
export function beginsWith(title: string, heading: string): boolean {
  const [whole, part] = [title.toLowerCase(), heading.toLowerCase()];
  return whole.startsWith(part) && SEPARATOR_AHEAD.test(whole.slice(part.length));
}

export function endsWith(title: string, heading: string): boolean {
  const [whole, part] = [title.toLowerCase(), heading.toLowerCase()];
  return whole.endsWith(part) && SEPARATOR_BEHIND.test(whole.slice(0, -part.length));
}

function lastSegment(url: string): string {
  const path = new URL(url).pathname.replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || url;
}
