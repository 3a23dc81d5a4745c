// The outline (bookmarks) of a PDF: which title stands on which page, and at which level.

import type { PdfFile, PdfOutlineItem } from 'unpdf';

export interface PdfOutline {
  /** The level of a title on its page, from 1 on; null if the outline does not have it there. */
  levelOf(title: string, page: number): number | null;
  /** Whether it has the title on any page. */
  hasTitle(title: string): boolean;
}

const MAX_ENTRIES = 20_000;
/** A destination by name is one search of the file each. */
const MAX_NAMED = 5000;
const MAX_LEVEL = 6;
/** For an entry whose page is not known: it fits on any page. */
const ANY_PAGE = 0;

interface Entry {
  readonly title: string;
  readonly level: number;
  readonly dest: unknown;
}

/** After the pages were read: a destination names an object, and the pages are then known by theirs. */
export async function readOutline(file: PdfFile): Promise<PdfOutline> {
  // An outline that is broken is not worth the text.
  const items = await file.getOutline().catch(() => null);
  const levels = new Map<string, number>();
  const titles = new Set<string>();
  let named = 0;
  for (const { title, level, dest } of entriesOf(items ?? [])) {
    if (typeof dest === 'string') named += 1;
    const page = named > MAX_NAMED ? ANY_PAGE : await pageOf(file, dest);
    const key = headingKey(title);
    if (key === '') continue;
    titles.add(key);
    if (!levels.has(`${page} ${key}`)) levels.set(`${page} ${key}`, level);
  }
  return {
    levelOf(title, page) {
      const key = headingKey(title);
      return levels.get(`${page} ${key}`) ?? levels.get(`${ANY_PAGE} ${key}`) ?? null;
    },
    hasTitle: (title) => titles.has(headingKey(title)),
  };
}

function entriesOf(items: readonly PdfOutlineItem[]): readonly Entry[] {
  const entries: Entry[] = [];
  const add = (inner: readonly PdfOutlineItem[], level: number): void => {
    for (const { title, dest, items: below } of inner) {
      if (entries.length >= MAX_ENTRIES) return;
      entries.push({ title, level, dest });
      if (level < MAX_LEVEL) add(below, level + 1);
    }
  };
  add(items, 1);
  return entries;
}

async function pageOf(file: PdfFile, dest: unknown): Promise<number> {
  const explicit = typeof dest === 'string' ? await file.getDestination(dest).catch(() => null) : dest;
  const target: unknown = Array.isArray(explicit) ? explicit[0] : null;
  if (typeof target === 'number') return target + 1;
  return (typeof target === 'object' && target !== null ? file.cachedPageNumber(target) : null) ?? ANY_PAGE;
}

/** Letters and digits, without the number of a section. */
export function headingKey(text: string): string {
  return text
    .slice(0, 500)
    .normalize('NFKC')
    .replace(/^\s*(?:(?:appendix|chapter|part)\s+)?(?:[A-Z]\.?|\d+\.?)(?:\d+\.?)*:?\s+/i, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
