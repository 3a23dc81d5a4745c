// Entry of the plan thread: plans and previews, which parse what a site sends, so that neither a request nor a search waits for
// them.

import { useNativeHash } from '../platform/native-hash.ts';
import { lowerPriority, serveThread } from '../platform/serve-thread.ts';
import type { ThreadContract } from '../platform/worker-thread.ts';
import type { PackageReference } from '../core/archives/package-reference.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import type { SourcePlan } from '../library/plan-source.ts';
import type { PagePreview } from '../library/preview-page.ts';
import type { Config } from '../platform/config/schema.ts';
import { plan, preview, release } from './plan.ts';

export type PlanTask =
  | { readonly kind: 'plan'; readonly startUrl: PageUrl; readonly settings: CrawlSettings }
  | { readonly kind: 'preview'; readonly url: PageUrl }
  | { readonly kind: 'release'; readonly reference: PackageReference };

export interface PlanContract extends ThreadContract {
  readonly data: { readonly config: Config; readonly command: string };
  readonly input: {
    readonly task: PlanTask;
    /** Ports that this process listens on. */
    readonly listeningOn: readonly number[];
  };
  readonly result: SourcePlan | PagePreview | { readonly version: string };
}

/** Queries take precedence, as they do over a crawl. */
const NICENESS_STEPS = 5;

lowerPriority(NICENESS_STEPS);
useNativeHash();
serveThread<PlanContract>({
  open: ({ config, command }, { createLog }) => ({
    handle({ task, listeningOn }, { signal }) {
      const context = { config, log: createLog(config.log.level), command, signal, listeningOn };
      switch (task.kind) {
        case 'plan':
          return plan(context, task.startUrl, task.settings);
        case 'preview':
          return preview(context, task.url);
        case 'release':
          return release(context, task.reference);
      }
    },
  }),
});
