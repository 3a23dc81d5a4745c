// What the API answers, in the words of the actions. Types only: nothing of the server reaches the page.

import type { z } from 'zod';
import type { addSource } from '../../src/actions/add-source.ts';
import type { crawlStatus } from '../../src/actions/crawl-status.ts';
import type { editSource } from '../../src/actions/edit-source.ts';
import type { listEvents } from '../../src/actions/list-events.ts';
import type { listPages } from '../../src/actions/list-pages.ts';
import type { listTokens } from '../../src/actions/list-tokens.ts';
import type { linkingPages } from '../../src/actions/backlinks.ts';
import type { listUrls } from '../../src/actions/list-urls.ts';
import type { pageBody } from '../../src/actions/page-body.ts';
import type { pageHistory } from '../../src/actions/page-history.ts';
import type { planSource } from '../../src/actions/plan-source.ts';
import type { searchDocs } from '../../src/actions/search-docs.ts';
import type { showSettings } from '../../src/actions/show-settings.ts';
import type { verifyStore } from '../../src/actions/verify-store.ts';

export type { EventView } from '../../src/actions/list-events.ts';
export type { HostView, ReasonView } from '../../src/actions/crawl-status.ts';
export type { LibraryHealth, SourceHealth } from '../../src/actions/library-health.ts';
export type { PageView } from '../../src/actions/list-pages.ts';
export type { ProblemView } from '../../src/actions/list-problems.ts';
export type { RunView } from '../../src/actions/support/run-view.ts';
export type { ChunkView, PageDetail } from '../../src/actions/show-page.ts';
export type { UrlView } from '../../src/actions/list-urls.ts';
export type { SettingView } from '../../src/actions/show-settings.ts';

type Answer<A extends { readonly output: z.ZodType }> = z.output<A['output']>;

export type Added = Answer<typeof addSource>;
export type { PageChange } from '../../src/actions/page-history.ts';

export type Edited = Answer<typeof editSource>;
export type Events = Answer<typeof listEvents>;
export type LinkingPages = Answer<typeof linkingPages>;
export type PageBody = Answer<typeof pageBody>;
export type PageHistory = Answer<typeof pageHistory>;
export type Pages = Answer<typeof listPages>;
export type Plan = Answer<typeof planSource>;
export type SearchAnswer = Answer<typeof searchDocs>;
export type Settings = Answer<typeof showSettings>;
export type Status = Answer<typeof crawlStatus>;
export type Tokens = Answer<typeof listTokens>;
export type Urls = Answer<typeof listUrls>;
export type Verdict = Answer<typeof verifyStore>;
