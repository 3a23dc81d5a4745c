// The title of a document: the page's own heading where the head's title begins with it, else what the head says.

import type { OutlineEntry } from '../../model/document.ts';

export function pageTitle(headTitle: string | null, outline: readonly OutlineEntry[], url: string): string {
  const heading = (outline.find((entry) => entry.level === 1) ?? outline[0])?.text ?? '';
  if (headTitle === null) return heading !== '' ? heading : lastSegment(url);
  return heading !== '' && beginsWith(headTitle, heading) ? heading : headTitle;
}

/** `Items — Scrapy documentation` begins with `Items`, `Itemset` does not. */
export function beginsWith(title: string, heading: string): boolean {
  const [whole, start] = [title.toLowerCase(), heading.toLowerCase()];
  if (!whole.startsWith(start)) return false;
  return whole.length === start.length || !/[\p{L}\p{N}]/u.test(whole[start.length] as string);
}

function lastSegment(url: string): string {
  const path = new URL(url).pathname.replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || url;
}
