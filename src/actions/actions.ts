// Every action, in the order in which help and reference show them.

import type { z } from 'zod';
import type { Action } from './action.ts';
import { addSource } from './add-source.ts';
import { agentsMd } from './agents-md.ts';
import { applySources } from './apply-sources.ts';
import { crawlStatus } from './crawl-status.ts';
import { backupLibrary } from './backup-library.ts';
import { editSource } from './edit-source.ts';
import { exportSource } from './export-source.ts';
import { importBundle } from './import-bundle.ts';
import { backlinks } from './backlinks.ts';
import { listSources } from './list-sources.ts';
import { outlineSource } from './outline-source.ts';
import { controlRun } from './control-run.ts';
import { listChanges } from './list-changes.ts';
import { listChunks } from './list-chunks.ts';
import { listEvents } from './list-events.ts';
import { llmsTxt } from './llms-txt.ts';
import { libraryGrowth } from './library-growth.ts';
import { libraryHealth } from './library-health.ts';
import { listHosts } from './list-hosts.ts';
import { listMilestones } from './list-milestones.ts';
import { systemHealth } from './system-health.ts';
import { listPages } from './list-pages.ts';
import { listPresets } from './list-presets.ts';
import { listProblems } from './list-problems.ts';
import { listSamples } from './list-samples.ts';
import { listUrls } from './list-urls.ts';
import { pageBody } from './page-body.ts';
import { pageHistory } from './page-history.ts';
import { pageVectors } from './page-vectors.ts';
import { planSource } from './plan-source.ts';
import { readDocs } from './read-docs.ts';
import { pullModel } from './pull-model.ts';
import { recentErrors } from './recent-errors.ts';
import { recrawlSource } from './recrawl-source.ts';
import { reindexSource } from './reindex-source.ts';
import { removeSource } from './remove-source.ts';
import { showPage } from './show-page.ts';
import { showSettings } from './show-settings.ts';
import { previewPage } from './preview-page.ts';
import { searchDocs } from './search-docs.ts';
import { exportSources, importSources } from './source-definitions.ts';
import { listSourceSymbols } from './list-symbols.ts';
import { createToken } from './create-token.ts';
import { listTokens } from './list-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import { addWebhook, listWebhooks, removeWebhook, testWebhook } from './webhooks.ts';
import { urlDetails } from './url-details.ts';
import { verifyStore } from './verify-store.ts';

/** By name. A key that differs from the name of its action does not compile. */
export const actions = checkNames({
  add_source: addSource,
  plan_source: planSource,
  recrawl_source: recrawlSource,
  edit_source: editSource,
  remove_source: removeSource,
  reindex_source: reindexSource,
  search_docs: searchDocs,
  read_docs: readDocs,
  list_sources: listSources,
  list_pages: listPages,
  list_chunks: listChunks,
  list_changes: listChanges,
  list_presets: listPresets,
  show_page: showPage,
  backlinks: backlinks,
  page_history: pageHistory,
  page_body: pageBody,
  page_vectors: pageVectors,
  library_health: libraryHealth,
  library_growth: libraryGrowth,
  system_health: systemHealth,
  outline: outlineSource,
  symbols: listSourceSymbols,
  export_source: exportSource,
  agents_md: agentsMd,
  llms_txt: llmsTxt,
  import_bundle: importBundle,
  export_sources: exportSources,
  import_sources: importSources,
  apply_sources: applySources,
  backup_library: backupLibrary,
  crawl_status: crawlStatus,
  control_run: controlRun,
  list_events: listEvents,
  list_problems: listProblems,
  list_milestones: listMilestones,
  recent_errors: recentErrors,
  list_samples: listSamples,
  list_hosts: listHosts,
  list_urls: listUrls,
  url_details: urlDetails,
  preview_page: previewPage,
  add_webhook: addWebhook,
  list_webhooks: listWebhooks,
  test_webhook: testWebhook,
  remove_webhook: removeWebhook,
  create_token: createToken,
  list_tokens: listTokens,
  revoke_token: revokeToken,
  pull_model: pullModel,
  verify_store: verifyStore,
  show_settings: showSettings,
});

export type ActionName = keyof typeof actions;
/** What a caller passes: what has a default may be left out. */
export type ActionInput<Name extends ActionName> = z.input<(typeof actions)[Name]['input']>;
/** What an action returns: its result is not parsed, so what has a default may be absent. */
export type ActionOutput<Name extends ActionName> = z.input<(typeof actions)[Name]['output']>;

/** In the same order, for interfaces that render all of them. */
export const actionList: readonly Action[] = Object.values(actions);

/** Undefined for a name that no action has. */
export function actionNamed(name: string): Action | undefined {
  return actionList.find((action) => action.name === name);
}

function checkNames<Actions extends { readonly [Name in keyof Actions]: Action<Name & string> }>(
  named: Actions,
): Actions {
  return named;
}
