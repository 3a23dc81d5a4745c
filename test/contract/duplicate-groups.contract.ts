// Store contract: the end of a run regroups the duplicates among what has changed and counts the links that have changed, with the same
// result as if it had looked at all pages, whatever runs came before, and wherever they were stopped.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseCanonical, MAX_TEXTS_PER_CANONICAL } from '../../src/core/dedupe/choose-canonical.ts';
import { sha256Hex } from '../../src/core/model/hash.ts';
import { pageUrl, urlKey, type PageUrl } from '../../src/core/model/page-url.ts';
import { dedupePages } from '../../src/crawl/run/dedupe-pages.ts';
import type { Store } from '../../src/store/port.ts';
import type { Outcome } from '../../src/store/port/frontier.ts';
import type { RunLease } from '../../src/store/port/runs.ts';
import type { Source } from '../../src/store/port/sources.ts';
import { claimAll, createRunFixture, createSettlement, indexedOutcome } from '../support/run-fixture.ts';

/** PINAKES_HISTORIES sets another number, such as 1000. */
const HISTORIES = Number(process.env['PINAKES_HISTORIES'] ?? 25);

/** URLs that change in a history, the shortest first. */
const NAMES = ['a', 'b', 'cc', 'dd', 'eee', 'fff', 'gggg', 'hhhh'];
const at = (name: string): PageUrl => pageUrl(`https://x.dev/${name}`);

type Step =
  | {
      readonly kind: 'indexed';
      readonly name: string;
      readonly text: string;
      readonly canonical: string | null;
      readonly links?: readonly string[];
    }
  | { readonly kind: 'unchanged' | 'gone'; readonly name: string }
  /** To a URL before it, so that redirects never form a cycle. */
  | { readonly kind: 'moved'; readonly name: string; readonly to: string }
  /** So many pages with a text each declare it as canonical. */
  | { readonly kind: 'declared'; readonly name: string; readonly texts: number };

interface RunOfHistory {
  readonly steps: readonly Step[];
  /** Whether removals are confirmed. */
  readonly isConfirmed: boolean;
  /** Calls of the end of the run after which it is killed; null if it ends. */
  readonly killedAfter: number | null;
}

const anyName = fc.constantFrom(...NAMES);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('indexed' as const),
      name: anyName,
      text: fc.constantFrom('x', 'y', 'z'),
      canonical: fc.option(anyName),
      links: fc.array(anyName, { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('unchanged' as const, 'gone' as const), name: anyName }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: NAMES.length - 1 }), fc.nat())
      .map(([i, n]) => ({ kind: 'moved' as const, name: NAMES[i]!, to: NAMES[n % i]! })),
  },
);
const anyRun: fc.Arbitrary<RunOfHistory> = fc.record({
  steps: fc.uniqueArray(anyStep, { selector: ({ name }) => name, maxLength: 5 }),
  isConfirmed: fc.boolean(),
  killedAfter: fc.option(fc.nat({ max: 3 })),
});

interface ModelPage {
  readonly text: string;
  readonly canonical: PageUrl | null;
  readonly links: readonly PageUrl[];
}

/** What the pages and redirects of the version should be. */
interface Model {
  readonly pages: Map<PageUrl, ModelPage>;
  readonly redirects: Map<PageUrl, PageUrl>;
}

function aliasesOf({ pages, redirects }: Model): ReadonlyMap<PageUrl, PageUrl> {
  const resolved = new Map<PageUrl, PageUrl>();
  for (const { canonical } of pages.values()) {
    let target = canonical ?? undefined;
    while (target !== undefined && !pages.has(target)) target = redirects.get(target);
    if (canonical !== null && target !== undefined) resolved.set(canonical, target);
  }
  const all = Array.from(pages, ([url, { text, canonical }]) => ({ url, dedupeHash: sha256Hex(text), canonical }));
  return chooseCanonical(all, resolved);
}

/** For each page that is not a duplicate: pages that link to it or to one of its duplicates, each counted once for each of these. */
function linksTo({ pages }: Model, aliases: ReadonlyMap<PageUrl, PageUrl>): ReadonlyMap<PageUrl, number> {
  const counts = new Map(
    Array.from(pages.keys(), (url) => [url, 0]).filter(([url]) => !aliases.has(url as PageUrl)) as Array<
      [PageUrl, number]
    >,
  );
  for (const [url, { links }] of pages)
    for (const target of aliases.has(url) ? [] : new Set(links)) {
      const canonical = aliases.get(target) ?? target;
      if (target !== url && counts.has(canonical)) counts.set(canonical, (counts.get(canonical) ?? 0) + 1);
    }
  return counts;
}

function indexed(url: PageUrl, { text, canonical, links }: ModelPage): Outcome {
  const outcome = indexedOutcome(url, text) as Extract<Outcome, { kind: 'indexed' }>;
  const outlinks = links.map((link) => urlKey(link));
  return { ...outcome, page: { ...outcome.page, dedupeHash: sha256Hex(text), canonical, outlinks } };
}

const KILLED = new Error('killed');

/** The calls that change something throw once `calls` of them have been made. */
function killedAfter(store: Store, calls: number): Pick<Store, 'pages'> {
  let left = calls;
  const count =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (left === 0) throw KILLED;
      left -= 1;
      return call(...args);
    };
  const { pages } = store;
  return {
    pages: {
      ...pages,
      applyAliases: count((lease, changes) => pages.applyAliases(lease, changes)),
      groupsSettled: count((lease, keys) => pages.groupsSettled(lease, keys)),
    },
  };
}

export function duplicateGroupsContract(store: () => Store): void {
  async function settleAll(outcomeOf: (url: PageUrl, isStored: boolean) => Outcome): Promise<void> {
    for (let claims = await claimAll(store()); claims.length > 0; claims = await claimAll(store()))
      await store().frontier.settle(
        claims.map((claim) => createSettlement(claim, outcomeOf(claim.url, claim.previous !== null))),
      );
  }

  /** All URLs are known from the first run, and nothing is stored. */
  async function begin(): Promise<Source> {
    const { source, lease } = await createRunFixture(store(), NAMES.map(at));
    await settleAll(() => ({ kind: 'not-found', reason: 'status 404' }));
    await store().runs.finish(lease, 'completed', null);
    return source;
  }

  const declaring = (name: string, n: number): PageUrl => at(`of-${name}/${n}`);

  async function settleSteps(source: Source, { steps, isConfirmed }: RunOfHistory, model: Model): Promise<RunLease> {
    const outcomes = new Map<PageUrl, (isStored: boolean) => Outcome>();
    for (const step of steps) {
      const url = at(step.name);
      if (step.kind === 'indexed') {
        const canonical = step.canonical === null ? null : at(step.canonical);
        const page = { text: step.text, canonical, links: (step.links ?? []).map(at) };
        outcomes.set(url, () => indexed(url, page));
        model.pages.set(url, page);
        model.redirects.delete(url);
      } else if (step.kind === 'declared')
        for (let n = 0; n < MAX_TEXTS_PER_CANONICAL + 2; n += 1) {
          const page = { text: `of ${step.name} ${n % step.texts}`, canonical: url, links: [at('a'), url] };
          outcomes.set(declaring(step.name, n), () => indexed(declaring(step.name, n), page));
          model.pages.set(declaring(step.name, n), page);
        }
      else if (step.kind === 'unchanged') {
        if (model.pages.has(url)) outcomes.set(url, () => ({ kind: 'unchanged', etag: null, lastModified: null }));
      } else {
        const to = step.kind === 'moved' ? at(step.to) : null;
        outcomes.set(url, (isStored) =>
          to !== null
            ? { kind: 'moved', to }
            : isStored
              ? { kind: 'missing', reason: 'status 404' }
              : { kind: 'not-found', reason: 'status 404' },
        );
        if (model.pages.has(url) && !isConfirmed) continue;
        model.pages.delete(url);
        model.redirects.delete(url);
        if (to !== null) model.redirects.set(url, to);
      }
    }
    const { lease } = await createRunFixture(store(), [...outcomes.keys()], source);
    await settleAll((url, isStored) => outcomes.get(url)!(isStored));
    if (isConfirmed) while ((await store().frontier.confirmMissing(lease, 100)) > 0);
    return lease;
  }

  async function storedAliases(version: RunLease['run']['version'], { pages }: Model): Promise<Map<PageUrl, PageUrl>> {
    const aliases = new Map<PageUrl, PageUrl>();
    for (const url of pages.keys()) {
      const stored = (await store().pages.get(version, url))?.url;
      if (stored !== undefined && stored !== url) aliases.set(url, stored);
    }
    return aliases;
  }

  async function storedLinks(version: RunLease['run']['version'], { pages }: Model): Promise<Map<PageUrl, number>> {
    const counts = new Map<PageUrl, number>();
    for (const url of pages.keys()) {
      const page = await store().pages.get(version, url);
      if (page?.url === url) counts.set(url, page.inlinks);
    }
    return counts;
  }

  async function expectSameAsAll(history: readonly RunOfHistory[]): Promise<void> {
    const model: Model = { pages: new Map(), redirects: new Map() };
    const source = await begin();
    for (const run of history) {
      const lease = await settleSteps(source, run, model);
      try {
        await dedupePages(lease, run.killedAfter === null ? store() : killedAfter(store(), run.killedAfter));
        const aliases = aliasesOf(model);
        expect(await storedAliases(lease.run.version, model)).toEqual(new Map(aliases));
        await store().pages.countLinks(lease);
        expect(await storedLinks(lease.run.version, model)).toEqual(linksTo(model, aliases));
      } catch (error) {
        if (error !== KILLED) throw error;
      }
      await store().runs.finish(lease, 'stopped', null);
    }
  }

  test('after any history of runs the duplicates and counts of links are those of all pages (finding D23)', async () => {
    const histories = fc.array(anyRun, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(histories, async (history) =>
        expectSameAsAll([...history, { steps: [], isConfirmed: false, killedAfter: null }]),
      ),
      { numRuns: HISTORIES },
    );
  }, 600_000);

  test('the end of a run reads the groups of what has changed, and no other page (finding D23)', async () => {
    const model: Model = { pages: new Map(), redirects: new Map() };
    const source = await begin();
    const run = (...steps: Step[]): Promise<RunLease> =>
      settleSteps(source, { steps, isConfirmed: true, killedAfter: null }, model);
    const first = await run({ kind: 'declared', name: 'b', texts: 9 }, { kind: 'declared', name: 'cc', texts: 9 });
    await dedupePages(first, store());
    expect(await store().pages.changedGroups(first.run.version, null, 100)).toBeNull();
    await store().runs.finish(first, 'completed', null);
    const second = await run({ kind: 'indexed', name: 'a', text: 'of b 3', canonical: null });
    const groups = await store().pages.changedGroups(second.run.version, null, 100);
    const same = Array.from(model.pages).filter(([, { text }]) => text === 'of b 3');
    expect(groups?.pages.map(({ url }) => url).sort()).toEqual(same.map(([url]) => url).sort());
  });

  test('a canonical URL that too many texts declare is trusted again when they are fewer (finding D23)', async () => {
    const declared = (texts: number, more: readonly Step[] = []): RunOfHistory => ({
      steps: [{ kind: 'declared', name: 'b', texts }, ...more],
      isConfirmed: true,
      killedAfter: null,
    });
    const some = (...steps: Step[]): RunOfHistory => ({ steps, isConfirmed: true, killedAfter: null });
    const page = (name: string, text: string): Step => ({ kind: 'indexed', name, text, canonical: null });
    await expectSameAsAll([
      declared(MAX_TEXTS_PER_CANONICAL),
      some(page('b', 'x')),
      declared(MAX_TEXTS_PER_CANONICAL + 1),
      declared(MAX_TEXTS_PER_CANONICAL, [page('a', 'x')]),
      some({ kind: 'moved', name: 'b', to: 'a' }),
      declared(MAX_TEXTS_PER_CANONICAL + 2),
      some({ kind: 'indexed', name: 'cc', text: 'of b 0', canonical: 'a' }, page('a', 'y')),
      declared(2),
      some({ kind: 'gone', name: 'a' }),
      some(page('b', 'z')),
    ]);
  });
}
