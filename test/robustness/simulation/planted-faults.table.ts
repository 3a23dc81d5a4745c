// Faults that install.ts plants in the program, one at a time: the simulation must find them. The first ones are faults that it once
// found. `find` occurs once in the file.

export interface Edit {
  /** In src. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface PlantedFault extends Edit {
  readonly name: string;
  /** A second change, where one alone would be harmless. */
  readonly also?: Edit;
  /** A seed that found it, which the long suite tries first. */
  readonly seed?: number;
  /** Why no seed finds it, or not within so many. */
  readonly unseen?: string;
}

const LEVELS_SKIPPED: Edit = {
  file: 'crawl/run/coordinate-run.ts',
  find: `isDatabaseFailure(error)) throw error;
    return 'unreadable'`,
  replace: `false) throw error;
    return 'unreadable'`,
};
const IS_WAITING = `due_at = case when r.state = \${URL_STATE.waiting} then now_ms() + r.retry_in end,`;

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'levels are skipped after a lost answer',
    ...LEVELS_SKIPPED,
    unseen:
      'A shorter path that comes later is admitted, and the links of its page are offered again: only the order of the requests differs.',
  },
  {
    name: 'a run fails after a lost answer',
    seed: 175,
    file: 'crawl/files/list-folder.ts',
    find: ` || isDatabaseFailure(error)`,
    replace: ``,
    also: LEVELS_SKIPPED,
  },
  {
    name: 'a shorter path comes too late',
    seed: 35,
    file: 'store/sql/frontier/enqueue-urls.ts',
    find: `const admitted = changedRows(rows, await tx.changed(admitShorter, rows, scalars));`,
    replace: `const admitted: typeof added = [];`,
  },
  {
    name: 'the links of a page stay those of its longer path',
    seed: 134,
    file: 'crawl/run/coordinate-run.ts',
    find: ` === null && offerLinksAgain(lease, deps, signal);`,
    replace: ` === null && signal.aborted;`,
  },
  {
    name: 'what a process remembers outlives a rollback',
    seed: 11,
    file: 'store/sql/runs/history.ts',
    find: `if (newest !== null && !isContinued(`,
    replace: `if (newest === undefined && !isContinued(`,
  },
  {
    name: 'a slot whose answer was late is used',
    seed: 86,
    file: 'crawl/politeness/host-rate-limiter.ts',
    find: `const isOnTime = !isUncertain && `,
    replace: `const isOnTime = `,
  },
  {
    name: 'a second slot whose answer was late is used',
    file: 'crawl/politeness/host-rate-limiter.ts',
    find: `lateAnswers > 0 && lateAnswers < MAX_LATE_ANSWERS`,
    replace: `lateAnswers === 1`,
    unseen:
      'Two answers must be late in a row while the holder of the next slot is on time, and a database that is slower than the delay is not checked.',
  },
  {
    name: 'a page that is queued again is taken for the one that was read',
    file: 'store/sql/search/index-pages.ts',
    find: `and q.enqueued_at = r.enqueued_at`,
    replace: `and r.enqueued_at = r.enqueued_at`,
    unseen:
      'An indexer must stop between its read and its write for as long as another one indexes the page and a later run changes it, and the counts must agree.',
  },
  {
    name: 'an index is written for a history that is gone',
    seed: 61,
    file: 'store/sql/create-sql-store.ts',
    find: `
    pages: createPages(committed.engine, parts),
    chunks: createChunkReader(engine.reader),
    segments: createSegmentTables(committed.engine, parts),
    points: createPointRecords(engine, parts),
    vectors: createVectors(engine, parts),
    changes: createChanges(engine),
    webhooks: createWebhooks(engine),
    stats: createStats(engine, parts),
    journal: createJournal(committed.engine, parts, lookup),
    analysis: createAnalysis(engine, parts.announcer),
    plans: createPlans(committed.engine),`,
    replace: `
    pages: createPages(engine, parts),
    chunks: createChunkReader(engine.reader),
    segments: createSegmentTables(engine, parts),
    points: createPointRecords(engine, parts),
    vectors: createVectors(engine, parts),
    changes: createChanges(engine),
    webhooks: createWebhooks(engine),
    stats: createStats(engine, parts),
    journal: createJournal(engine, parts, lookup),
    analysis: createAnalysis(engine, parts.announcer),
    plans: createPlans(engine),`,
  },
  {
    name: 'a transaction reads with a second connection',
    file: 'store/sql/frontier/frontier.ts',
    find: `const infos = await runInfos(claims, lookup);
  await engine.transaction(async (tx) => {`,
    replace: `await engine.transaction(async (tx) => {
    const infos = await runInfos(claims, lookup);`,
  },
  {
    name: 'an earlier claim is held as long as a newer one',
    seed: 214,
    file: 'store/sql/frontier/frontier.ts',
    find: ` \${claim.fence}\`));`,
    replace: `\`));`,
    also: { file: 'store/sql/frontier/frontier.ts', find: ` \${row.fence}\`));`, replace: `\`));` },
  },
  {
    name: 'settlements are not fenced',
    seed: 97,
    file: 'store/sql/frontier/settle-claims.ts',
    find: ` and frontier.fence = r.fence
     and frontier.worker = r.worker`,
    replace: ``,
  },
  {
    name: 'a settlement is accepted twice',
    seed: 37,
    file: 'store/sql/frontier/settle-claims.ts',
    find: `frontier.state = \${URL_STATE.claimed} and frontier.fence = r.fence
     and frontier.worker = r.worker`,
    replace: `frontier.fence = r.fence`,
  },
  {
    name: 'a settlement is committed in two transactions',
    file: 'store/sql/frontier/settle-claims.ts',
    find: `  return deps.engine.transaction(async (tx) => {
    const accepted = await acceptFences(tx, settlements);`,
    replace: `  const accepted = await deps.engine.transaction((tx) => acceptFences(tx, settlements));
  return deps.engine.transaction(async (tx) => {`,
  },
  {
    name: 'renewals and releases are not fenced',
    seed: 353,
    file: 'store/sql/frontier/frontier.ts',
    find: ` and frontier.fence = r.fence and frontier.worker = r.worker`,
    replace: ``,
  },
  {
    name: 'leases of runs are not fenced',
    file: 'store/sql/runs/run-row.ts',
    find: `id = $1 and worker = $2 and fence = $3 and ended_at is null`,
    replace: `id = $1 and $2 = $2 and $3 = $3 and ended_at is null`,
  },
  {
    name: 'two workers take one run',
    file: 'store/sql/runs/runs.ts',
    find: ` and (lease_until is null or lease_until <= now_ms()) returning`,
    replace: ` returning`,
  },
  {
    name: 'an expired lease of a run is compared the wrong way',
    file: 'store/sql/runs/runs.ts',
    find: `(lease_until is null or lease_until <= now_ms())
  and not`,
    replace: `(lease_until is null or lease_until >= now_ms())
  and not`,
  },
  {
    name: 'a run keeps its fencing token',
    file: 'store/sql/runs/runs.ts',
    find: `fence = fence + 1, started_at`,
    replace: `fence = max(fence, 1), started_at`,
  },
  {
    name: 'a claim keeps its fencing token',
    file: 'store/sqlite/claim-urls.ts',
    find: `fence = fence + 1, attempts`,
    replace: `fence = max(fence, 1), attempts`,
  },
  {
    name: 'claims expire at once',
    file: 'store/sqlite/claim-urls.ts',
    find: `where due_at <= ?1 order by`,
    replace: `where due_at >= ?1 order by`,
  },
  {
    name: 'claims never expire',
    file: 'store/sqlite/claim-urls.ts',
    find: `where due_at <= ?1 order by`,
    replace: `where due_at <= ?1 - 86400000 order by`,
  },
  {
    name: 'a retry is never due',
    file: 'store/sql/frontier/settle-claims.ts',
    find: IS_WAITING,
    replace: `due_at = null,`,
  },
  {
    name: 'a host is not woken',
    file: 'store/sql/frontier/host-schedule.ts',
    find: `update hosts set has_queues = true from`,
    replace: `update hosts set has_queues = has_queues from`,
  },
  {
    name: 'queues of hosts are cached before the commit',
    seed: 303,
    file: 'store/sql/frontier/host-schedule.ts',
    find: `for (const host of newHosts.filter((_, i) => !added[i])) if (`,
    replace: `for (const host of newHosts) if (`,
  },
  {
    name: 'a settlement that waits is not woken',
    file: 'crawl/loop/settlement-batcher.ts',
    find: `while (waiting.length > 0) {`,
    replace: `if (waiting.length > 0) {`,
  },
  {
    name: 'a run is marked as seeded too early',
    file: 'crawl/run/coordinate-run.ts',
    find: `await seedRun(run, rules, deps, signal);`,
    replace: `await store.runs.markSeeded(lease);
  await seedRun(run, rules, deps, signal);`,
  },
  {
    name: 'stored pages are not enqueued',
    file: 'crawl/seed/seed-run.ts',
    find: `  await seedPreviousUrls(run, admission, store);`,
    replace: ``,
  },
  {
    name: 'a URL enters its run again',
    file: 'store/sql/frontier/enqueue-urls.ts',
    find: `frontier.url_key = r.url_key and frontier.run_id < $2\`,
);

/** What`,
    replace: `frontier.url_key = r.url_key and frontier.run_id <= $2\`,
);

/** What`,
  },
  {
    name: 'a run ends before its queue is empty',
    file: 'store/sql/frontier/frontier.ts',
    find: `[run])).length > 0,
  };`,
    replace: `[run])).length >= 0,
  };`,
    also: {
      file: 'store/sql/runs/runs.ts',
      find: ` and \${RUN_IS_DRAINED} returning \${SAMPLE_NTH} as nth, n_bytes`,
      replace: ` returning \${SAMPLE_NTH} as nth, n_bytes`,
    },
  },
  {
    name: 'a changed page is published from its old text',
    seed: 10,
    file: 'store/sql/search/index-pages.ts',
    find: `if (unchanged.length < queued.length) {`,
    replace: `if (unchanged.length < 0) {`,
  },
  {
    name: 'a change of a queued page is not counted',
    seed: 25,
    file: 'store/sql/pages/replace-chunks.ts',
    find: `do update set revision = index_queue.revision + 1`,
    replace: `do update set revision = index_queue.revision`,
  },
  {
    name: 'pages leave the index queue before their segment is filled',
    file: 'store/sql/search/index-pages.ts',
    find: `const filled = built.keys.length === 0 ? null : await fillSegment(steps, built);`,
    replace: `await steps.write((tx) => tx.each(dequeue, built.queued.map((row) => [built.version, row.url_key])));
    const filled = built.keys.length === 0 ? null : await fillSegment(steps, built);`,
  },
  {
    name: 'a listing ends at the newest change',
    file: 'library/change-feed.ts',
    find: `  const end = at(null);`,
    replace: `  const end = formatPosition(await latestPosition(changes));`,
  },
  {
    name: 'a webhook is saved as delivered before it is sent',
    seed: 13,
    file: 'library/deliver-webhooks.ts',
    find: `  const outcome = await send(`,
    replace: `  await webhooks.deliver(lease, end, true);
  const outcome = await send(`,
  },
  {
    name: 'deliveries are not fenced',
    seed: 205,
    file: 'store/sql/webhooks/webhooks.ts',
    find: `id = $1 and worker = $2 and fence = $3\``,
    replace: `id = $1 and $2 = $2 and $3 = $3\``,
  },
  {
    name: 'a message is not sent again as it was',
    seed: 55,
    file: 'library/deliver-webhooks.ts',
    find: `let { messageEnd } = lease;`,
    replace: `let messageEnd: number | null = null;`,
  },
  {
    name: 'the lease of a webhook never expires',
    file: 'store/sql/webhooks/webhooks.ts',
    find: `
  and (lease_until is null or lease_until <= now_ms())\``,
    replace: `
  and lease_until is null\``,
  },
  {
    name: 'a rollback does not end a worker',
    seed: 52,
    file: 'store/sql/runs/history.ts',
    find: `      throw pinakesError('database.rolled-back', {});
    },`,
    replace: `      return mark;
    },`,
  },
  {
    name: 'request slots overlap',
    file: 'store/sqlite/claim-urls.ts',
    find: `now + spacing * due.length`,
    replace: `now + spacing`,
  },
  {
    name: 'request slots have no margin',
    seed: 44,
    file: 'store/sql/frontier/host-schedule.ts',
    find: `return delayMs + Math.floor(delayMs / 10);`,
    replace: `return delayMs;`,
  },
  {
    name: 'a missed request slot is used',
    seed: 32,
    file: 'crawl/politeness/host-rate-limiter.ts',
    find: `if (isOnTime || slots === MAX_SLOTS) {`,
    replace: `if (isOnTime || slots > 0) {`,
  },
  {
    name: 'requests of one process are not spaced',
    seed: 40,
    file: 'crawl/politeness/host-rate-limiter.ts',
    find: `      await spaceRequests(host, delayMs, signal);`,
    replace: ``,
  },
  {
    name: 'a failed load is cached',
    file: 'core/lru-cache.ts',
    find: `() => ifCurrent(() => cache.delete(key)),`,
    replace: `() => undefined,`,
  },
  {
    name: 'an unavailable database ends a worker',
    file: 'crawl/context/retry.ts',
    find: `if (isFinal(error)) throw error;`,
    replace: `if (isFinal(error) || isDatabaseFailure(error)) throw error;`,
  },
  {
    name: 'a version whose segments cannot be read is not merged',
    seed: 682,
    file: 'store/sql/search/compact-segments.ts',
    find: `      const parts = partsToMerge(await read.all<SegmentRow>(selectSearched, [version]));
      // Only now: a read that failed is repeated.
      pending.delete(version);
`,
    replace: `      pending.delete(version);
      const parts = partsToMerge(await read.all<SegmentRow>(selectSearched, [version]));
`,
  },
  {
    name: 'a segment that is gone is published',
    seed: 3751,
    file: 'store/sql/search/index-pages.ts',
    find: `if (filled !== null && (await tx.all(publish, [filled.id, filled.checksum])).length === 0) return false;`,
    replace: `if (filled !== null) await tx.all(publish, [filled.id, filled.checksum]);`,
  },
];
