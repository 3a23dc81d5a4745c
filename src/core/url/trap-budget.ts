// Counts what a run takes from addresses that are made of parameters, and from branches whose pages are all the same. Both may
// go on without end although each single address looks harmless.
//
// Each worker counts for itself: a trap costs a bounded number of requests, which is all that matters.

import type { PageUrl } from '../model/page-url.ts';

export interface TrapBudgetLimits {
  /** URLs with one path and the same names of parameters. */
  readonly maxUrlsPerShape: number;
  /** Combinations of parameters on one path. */
  readonly maxShapesPerPath: number;
  /** Pages of a folder before their sameness is judged. */
  readonly repeatSample: number;
  /** Share of them that say what another one said. */
  readonly maxRepeatShare: number;
}

export const DEFAULT_TRAP_BUDGET: TrapBudgetLimits = {
  maxUrlsPerShape: 1000,
  maxShapesPerPath: 100,
  repeatSample: 500,
  maxRepeatShare: 0.95,
};

export interface TrapBudget {
  /** Why the URL is one too many; null where it may be taken. Asking again about the same URL changes nothing. */
  refusal(url: PageUrl): string | null;
  /** A page of this URL was read, and this is what it says. */
  note(url: PageUrl, fingerprint: string): void;
}

interface Branch {
  pages: number;
  readonly fingerprints: Set<string>;
}

/** Beyond this nothing new is remembered, and nothing new is refused. */
const REMEMBERED = 500_000;

export function createTrapBudget(limits: TrapBudgetLimits = DEFAULT_TRAP_BUDGET): TrapBudget {
  const shapes = new Map<string, Set<string>>();
  const urls = new Map<string, Set<string>>();
  const branches = new Map<string, Branch>();
  let remembered = 0;

  function isNewTo(
    sets: Map<string, Set<string>>,
    key: string,
    value: string,
    max: number,
  ): 'known' | 'added' | 'full' {
    const set = sets.get(key) ?? new Set<string>();
    if (set.has(value)) return 'known';
    if (set.size >= max) return 'full';
    if (remembered < REMEMBERED) {
      remembered += 1;
      sets.set(key, set.add(value));
    }
    return 'added';
  }

  function parameterRefusal(url: PageUrl, question: number): string | null {
    const path = url.slice(0, question);
    const names = namesOf(url.slice(question + 1));
    const { maxShapesPerPath, maxUrlsPerShape } = limits;
    if (isNewTo(shapes, path, names, maxShapesPerPath) === 'full')
      return `more than ${maxShapesPerPath} combinations of parameters on one path`;
    return isNewTo(urls, `${path}?${names}`, url, maxUrlsPerShape) === 'full'
      ? `more than ${maxUrlsPerShape} URLs with the parameters ${names}`
      : null;
  }

  return {
    refusal(url) {
      const branch = branches.get(branchOf(url));
      if (branch !== undefined && isRepeating(branch, limits))
        return `${branch.pages} pages of this folder say nearly the same`;
      const question = url.indexOf('?');
      return question === -1 ? null : parameterRefusal(url, question);
    },
    note(url, fingerprint) {
      const key = branchOf(url);
      const branch = branches.get(key) ?? { pages: 0, fingerprints: new Set<string>() };
      branch.pages += 1;
      if (!branch.fingerprints.has(fingerprint) && remembered < REMEMBERED) {
        remembered += 1;
        branch.fingerprints.add(fingerprint);
      }
      branches.set(key, branch);
    },
  };
}

function isRepeating({ pages, fingerprints }: Branch, limits: TrapBudgetLimits): boolean {
  return pages >= limits.repeatSample && (pages - fingerprints.size) / pages > limits.maxRepeatShare;
}

/** The folder of a page, without its parameters. */
function branchOf(url: PageUrl): string {
  const question = url.indexOf('?');
  const path = question === -1 ? url : url.slice(0, question);
  return path.slice(0, path.lastIndexOf('/'));
}

function namesOf(query: string): string {
  const names = query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  return [...new Set(names)].sort().join('&');
}
