// What the actions of this process act upon.

import type { ActionDeps } from '../actions/action.ts';
import { actions } from '../actions/actions.ts';
import { embeddingOf, pull } from './embedding.ts';
import type { Surroundings } from './store.ts';
import { pinakesError } from '../core/model/errors.ts';
import type { PageUrl } from '../core/model/page-url.ts';
import type { CrawlSettings } from '../core/model/source-settings.ts';
import { createLocalFiles } from '../fetch/files/local-files.ts';
import type { PullDeps, PullRequest } from '../library/pull-model.ts';
import { originText, printConfig } from '../platform/config/print-config.ts';
import type { Config } from '../platform/config/schema.ts';
import { readText } from '../platform/read-text.ts';
import { openFileSink } from '../platform/user-files.ts';
import { createDenseLook, type DenseLook } from '../search/dense-retrieval.ts';
import { createSearch } from '../search/search.ts';
import type { CallAction } from '../serve/call-action.ts';
import type { Store } from '../store/port.ts';

/** With the disk of this machine, or without. */
export type CallWith = (files: boolean) => CallAction;

export function callActions(around: Surroundings, store: Store): CallWith {
  const deps = {
    store,
    presets: around.config.crawl.presets,
    search: createSearch(store, denseLookOf(around.config, store)),
    // Few ask for these, and what fetches and parses takes long to load.
    preview: async (url: PageUrl, signal: AbortSignal) =>
      (await import('./plan.ts')).preview({ ...around, signal }, url),
    plan: async (start: PageUrl, settings: CrawlSettings, signal: AbortSignal) =>
      (await import('./plan.ts')).plan({ ...around, signal }, start, settings),
    settings: () => printConfig(around).map((one) => ({ ...one, origin: originText(one.origin) })),
  };
  const disk = {
    files: createLocalFiles(around.config.local),
    openSink: openFileSink,
    readText,
    pullModel: (request: PullRequest, tell: PullDeps['tell']) =>
      pull(around.config, request, { tell, signal: around.signal }),
  };
  return (files) =>
    async (name, input, { tell = () => undefined, sink = null, signal: asked } = {}) => {
      const action = actions.find((candidate) => candidate.name === name);
      if (action === undefined) throw pinakesError('internal', { why: `there is no action ${name}` });
      const signal = asked === undefined ? around.signal : AbortSignal.any([around.signal, asked]);
      const given = { local: files ? disk : null, sink, tell, signal };
      return action.run(action.input.parse(input), { ...deps, ...given } satisfies ActionDeps);
    };
}

function denseLookOf(config: Config, store: Store): DenseLook | null {
  const embedding = embeddingOf(config);
  return embedding === null
    ? null
    : createDenseLook(store, { open: embedding.openEmbedder, openFormer: embedding.openFormer }, Date.now);
}
