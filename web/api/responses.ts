// The response types of the API, derived from the actions. Types only: no server code is bundled.

import type { z } from 'zod';
import type { addSource } from '../../src/actions/add-source.ts';
import type { crawlStatus } from '../../src/actions/crawl-status.ts';
import type { editSource } from '../../src/actions/edit-source.ts';
import type { libraryGrowth } from '../../src/actions/library-growth.ts';
import type { listEvents } from '../../src/actions/list-events.ts';
import type { listMilestones } from '../../src/actions/list-milestones.ts';
import type { listPages } from '../../src/actions/list-pages.ts';
import type { listPresets } from '../../src/actions/list-presets.ts';
import type { listProblems } from '../../src/actions/list-problems.ts';
import type { listSamples } from '../../src/actions/list-samples.ts';
import type { listTokens } from '../../src/actions/list-tokens.ts';
import type { backlinks } from '../../src/actions/backlinks.ts';
import type { listUrls } from '../../src/actions/list-urls.ts';
import type { pageBody } from '../../src/actions/page-body.ts';
import type { pageHistory } from '../../src/actions/page-history.ts';
import type { planSource } from '../../src/actions/plan-source.ts';
import type { removeSource } from '../../src/actions/remove-source.ts';
import type { searchDocs } from '../../src/actions/search-docs.ts';
import type { showSettings } from '../../src/actions/show-settings.ts';
import type { verifyStore } from '../../src/actions/verify-store.ts';

export type { EventView } from '../../src/actions/list-events.ts';
export type { ReasonView } from '../../src/actions/crawl-status.ts';
export type { HostView } from '../../src/actions/support/run-hosts.ts';
export type { LibraryHealth, SourceHealth } from '../../src/actions/library-health.ts';
export type { PageView } from '../../src/actions/list-pages.ts';
export type { ProblemView } from '../../src/actions/list-problems.ts';
export type { RunView } from '../../src/actions/support/run-view.ts';
export type { ChunkView, PageDetail } from '../../src/actions/show-page.ts';
export type { PageChange } from '../../src/actions/page-history.ts';
export type { UrlView } from '../../src/actions/list-urls.ts';
export type { SettingView } from '../../src/actions/show-settings.ts';

type ActionOutput<A extends { readonly output: z.ZodType }> = z.output<A['output']>;

export type AddSourceResult = ActionOutput<typeof addSource>;
export type EditSourceResult = ActionOutput<typeof editSource>;
export type EventsResult = ActionOutput<typeof listEvents>;
export type BacklinksResult = ActionOutput<typeof backlinks>;
export type LibraryGrowth = ActionOutput<typeof libraryGrowth>;
export type MilestonesResult = ActionOutput<typeof listMilestones>;
export type PageBody = ActionOutput<typeof pageBody>;
export type PageHistory = ActionOutput<typeof pageHistory>;
export type PagesResult = ActionOutput<typeof listPages>;
export type PresetsResult = ActionOutput<typeof listPresets>;
export type ProblemsResult = ActionOutput<typeof listProblems>;
export type Plan = ActionOutput<typeof planSource>;
export type RemoveSourceResult = ActionOutput<typeof removeSource>;
export type SamplesResult = ActionOutput<typeof listSamples>;
export type SearchAnswer = ActionOutput<typeof searchDocs>;
export type Settings = ActionOutput<typeof showSettings>;
export type RunStatus = ActionOutput<typeof crawlStatus>;
export type Tokens = ActionOutput<typeof listTokens>;
export type UrlsResult = ActionOutput<typeof listUrls>;
export type VerifyResult = ActionOutput<typeof verifyStore>;
