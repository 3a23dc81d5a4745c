// The URLs of a source as folders: what is stored, what a rule excluded and what failed, with page kinds and their confidence.

import { pathOf } from '../../components/format.ts';

export type TreeState = 'stored' | 'excluded' | 'failed' | 'other';

/** One URL. */
export interface TreeUrl {
  readonly url: string;
  readonly state: TreeState;
  readonly pageKind: string | null;
  readonly confidence: number | null;
  /** Why it is not stored. */
  readonly reason: string | null;
}

export interface TreeFolder {
  /** The last part of its path; the host at the top. */
  readonly name: string;
  readonly counts: Readonly<Record<TreeState, number>>;
  /** Stored pages by page kind, most frequent first. */
  readonly kinds: ReadonlyArray<readonly [kind: string, pages: number]>;
  /** Mean confidence of the page kinds; null if no page has one. */
  readonly confidence: number | null;
  readonly folders: readonly TreeFolder[];
  readonly urls: readonly TreeUrl[];
}

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly urls: TreeUrl[];
}

/** One folder for each host. */
export function siteTree(urls: readonly TreeUrl[]): readonly TreeFolder[] {
  const root: Branch = { folders: new Map(), urls: [] };
  for (const url of urls) {
    let branch = root;
    for (const name of foldersOf(url.url)) {
      const next: Branch = branch.folders.get(name) ?? { folders: new Map(), urls: [] };
      branch.folders.set(name, next);
      branch = next;
    }
    branch.urls.push(url);
  }
  return childrenOf(root);
}

/** The host and the folders of the path; the last part of the path is the page. */
function foldersOf(url: string): readonly string[] {
  const host = URL.canParse(url) ? new URL(url).host : '';
  const parts =
    pathOf(url)
      .split('?', 1)[0]
      ?.split('/')
      .slice(0, -1)
      .filter((part) => part !== '') ?? [];
  return host === '' ? ['files', ...parts] : [host, ...parts];
}

function childrenOf({ folders }: Branch): readonly TreeFolder[] {
  return [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, branch]) => folderOf(name, branch));
}

function folderOf(name: string, branch: Branch): TreeFolder {
  const folders = childrenOf(branch);
  const counts = { stored: 0, excluded: 0, failed: 0, other: 0 };
  const kinds = new Map<string, number>();
  for (const { state, pageKind } of branch.urls) {
    counts[state] += 1;
    if (pageKind !== null) kinds.set(pageKind, (kinds.get(pageKind) ?? 0) + 1);
  }
  for (const folder of folders) {
    for (const [state, urls] of Object.entries(folder.counts)) counts[state as TreeState] += urls;
    for (const [kind, pages] of folder.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + pages);
  }
  const urls = branch.urls.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const sorted = [...kinds].toSorted(([, a], [, b]) => b - a);
  return { name, counts, kinds: sorted, confidence: meanConfidence(urls, folders), folders, urls };
}

/** Weighted by pages. */
function meanConfidence(urls: readonly TreeUrl[], folders: readonly TreeFolder[]): number | null {
  const own = urls.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  const weights = folders.flatMap(({ confidence, kinds }) => {
    const pages = kinds.reduce((sum, [, count]) => sum + count, 0);
    return confidence === null ? [] : [{ confidence, pages }];
  });
  const pages = own.length + weights.reduce((sum, one) => sum + one.pages, 0);
  if (pages === 0) return null;
  const total = own.reduce((sum, one) => sum + one, 0);
  return weights.reduce((sum, one) => sum + one.confidence * one.pages, total) / pages;
}
