// The contract of the store. Each adapter runs the whole suite, and every test ends with a check of all invariants.

import { afterEach, beforeEach, describe, expect } from 'vitest';
import { createSegmentIndex } from '../../src/index/segments/segment-index.ts';
import type { OpenTestStore, TestStore } from '../support/stores.ts';
import { analysisContract } from './analysis.contract.ts';
import { auditContract } from './audit.contract.ts';
import { changesContract } from './changes.contract.ts';
import { duplicateGroupsContract } from './duplicate-groups.contract.ts';
import { siteCoverageContract } from './site-coverage.contract.ts';
import { statsContract } from './stats.contract.ts';
import { frontierContract } from './frontier.contract.ts';
import { historyContract } from './history.contract.ts';
import { gazetteerContract } from './gazetteer.contract.ts';
import { journalContract } from './journal.contract.ts';
import { linksContract } from './links.contract.ts';
import { pageRevisionsContract } from './page-revisions.contract.ts';
import { pagesContract } from './pages.contract.ts';
import { queueEventsContract } from './queue-events.contract.ts';
import { runStatisticsContract } from './run-figures.contract.ts';
import { runLimitsContract } from './run-limits.contract.ts';
import { runsContract } from './runs.contract.ts';
import { pointsContract } from './points.contract.ts';
import { projectsContract } from './projects.contract.ts';
import { sessionsContract } from './sessions.contract.ts';
import { tokensContract } from './tokens.contract.ts';
import { schedulesContract } from './schedules.contract.ts';
import { searchIndexContract } from './search-index.contract.ts';
import { segmentsContract } from './segments.contract.ts';
import { vectorsContract } from './vectors.contract.ts';

/** `processes`: among how many the calls of a test are divided. */
export function storeContract(name: string, open: OpenTestStore, { processes = 1 } = {}): void {
  describe(name, () => {
    let opened: TestStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      expect(await opened.store.verify()).toEqual([]);
      await opened.close();
    });
    describe('sources and runs', () => runsContract(() => opened.store));
    describe('changes and projects', () => projectsContract(() => opened.store));
    describe('audit log', () => auditContract(() => opened.store));
    describe('access tokens', () => tokensContract(() => opened.store));
    describe('dashboard sessions', () => sessionsContract(() => opened.store));
    describe('changes and schedules', () => schedulesContract(() => opened.store));
    describe('the frontier', () => frontierContract(() => opened.store));
    describe('links of a run', () => linksContract(() => opened.store));
    describe('limits of runs', () => runLimitsContract(() => opened.store));
    describe('figures of runs', () => runStatisticsContract(() => opened));
    describe('pages and chunks', () => pagesContract(() => opened.store));
    describe('groups of duplicates', () => duplicateGroupsContract(() => opened.store));
    describe('revisions and backlinks', () => pageRevisionsContract(() => opened.store));
    describe('segments', () => segmentsContract(() => opened.store));
    describe('search index', () =>
      searchIndexContract(async () => ({ store: opened.store, index: createSegmentIndex(opened.store.segments) })));
    describe('vectors', () => vectorsContract(() => opened.store));
    describe('points of an external index', () => pointsContract(() => opened.store));
    describe('the outbox', () => changesContract(() => opened));
    describe('stats', () => statsContract(() => opened.store));
    describe('analysis runs', () => analysisContract(() => opened.store));
    describe('menus, hubs and coverage', () => siteCoverageContract(() => opened.store));
    describe('the gazetteer', () => gazetteerContract(() => opened.store));
    describe('the journal', () => journalContract(() => opened.store));
    describe('the history', () => historyContract(() => opened, processes));
  });
  describe(`${name}: events of the queue`, () => queueEventsContract(open));
}
