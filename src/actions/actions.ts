// Every action, in the order in which help and reference show them.

import type { z } from 'zod';
import type { Action } from './action.ts';
import { listAnalyses, showAnalysis, startAnalysis, stopAnalysis } from './analysis-runs.ts';
import { addSource } from './add-source.ts';
import { writeAgentsMd } from './write-agents-md.ts';
import { applyDefinitions } from './apply-definitions.ts';
import { compareSourceVersions } from './compare-versions.ts';
import { crawlStatus } from './crawl-status.ts';
import { backupLibrary } from './backup-library.ts';
import { editSource } from './edit-source.ts';
import { exportSource } from './export-source.ts';
import { listPlaceHubs, listPlacePages, listPlaces, resolvePlace, showGazetteer, showPlace } from './gazetteer.ts';
import { importBundle } from './import-bundle.ts';
import { installEntries } from './install-entries.ts';
import { listAudit } from './list-audit.ts';
import { importPlaces } from './import-places.ts';
import { listBacklinks } from './list-backlinks.ts';
import { listSources } from './list-sources.ts';
import { outlineSource } from './outline-source.ts';
import { controlRun } from './control-run.ts';
import { listChanges } from './list-changes.ts';
import { listChunks } from './list-chunks.ts';
import { listEvents, listMilestones, listProblems } from './list-journal.ts';
import { writeLlmsTxt } from './write-llms-txt.ts';
import { showReadiness } from './show-readiness.ts';
import { showCoverage } from './show-coverage.ts';
import { showGrowth } from './show-growth.ts';
import { showStats } from './show-stats.ts';
import { listHosts } from './list-hosts.ts';
import { showHealth } from './show-health.ts';
import { listPages } from './list-pages.ts';
import { listPresets } from './list-presets.ts';
import { listProjects } from './list-projects.ts';
import { listSamples } from './list-samples.ts';
import { listUrls } from './list-urls.ts';
import { showBody } from './show-body.ts';
import { listRevisions } from './list-revisions.ts';
import { listVectors } from './list-vectors.ts';
import { planSource } from './plan-source.ts';
import { buildCatalog, createCatalogKey, createCatalogRoot } from './publish-catalog.ts';
import { readDocs } from './read-docs.ts';
import { pullModel } from './pull-model.ts';
import { listFailures } from './list-failures.ts';
import { recrawlSource } from './recrawl-source.ts';
import { reindexSource } from './reindex-source.ts';
import { removeSource } from './remove-source.ts';
import { showPage } from './show-page.ts';
import { showSettings } from './show-settings.ts';
import { previewPage } from './preview-page.ts';
import { searchDocs } from './search-docs.ts';
import { exportDefinitions, importDefinitions } from './source-definitions.ts';
import { listSourceSymbols } from './list-symbols.ts';
import { createToken, deleteToken, listTokens, rotateToken } from './access-tokens.ts';
import { createWebhook, listWebhooks, deleteWebhook, testWebhook } from './webhooks.ts';
import { showUrl } from './show-url.ts';
import { syncProject } from './sync-project.ts';
import { rebuildEntry, verifyCatalog } from './verify-catalog.ts';
import { verifyStore } from './verify-store.ts';

/** By name. A key that differs from the name of its action does not compile. */
export const actions = checkNames({
  add_source: addSource,
  plan_source: planSource,
  preview_page: previewPage,
  sync_project: syncProject,
  install_entries: installEntries,
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
  list_projects: listProjects,
  show_page: showPage,
  list_backlinks: listBacklinks,
  show_coverage: showCoverage,
  list_revisions: listRevisions,
  show_body: showBody,
  list_vectors: listVectors,
  show_stats: showStats,
  show_growth: showGrowth,
  show_health: showHealth,
  outline: outlineSource,
  list_symbols: listSourceSymbols,
  compare_versions: compareSourceVersions,
  export_source: exportSource,
  write_agents_md: writeAgentsMd,
  write_llms_txt: writeLlmsTxt,
  import_bundle: importBundle,
  export_definitions: exportDefinitions,
  import_definitions: importDefinitions,
  apply_definitions: applyDefinitions,
  backup_library: backupLibrary,
  crawl_status: crawlStatus,
  control_run: controlRun,
  list_events: listEvents,
  list_problems: listProblems,
  list_milestones: listMilestones,
  start_analysis: startAnalysis,
  stop_analysis: stopAnalysis,
  show_readiness: showReadiness,
  list_analyses: listAnalyses,
  show_analysis: showAnalysis,
  show_gazetteer: showGazetteer,
  list_places: listPlaces,
  show_place: showPlace,
  list_place_pages: listPlacePages,
  list_place_hubs: listPlaceHubs,
  resolve_place: resolvePlace,
  import_places: importPlaces,
  list_failures: listFailures,
  list_samples: listSamples,
  list_hosts: listHosts,
  list_urls: listUrls,
  show_url: showUrl,
  create_webhook: createWebhook,
  list_webhooks: listWebhooks,
  test_webhook: testWebhook,
  delete_webhook: deleteWebhook,
  create_token: createToken,
  list_tokens: listTokens,
  rotate_token: rotateToken,
  delete_token: deleteToken,
  list_audit: listAudit,
  verify_catalog: verifyCatalog,
  rebuild_entry: rebuildEntry,
  build_catalog: buildCatalog,
  create_catalog_root: createCatalogRoot,
  create_catalog_key: createCatalogKey,
  pull_model: pullModel,
  verify_store: verifyStore,
  show_settings: showSettings,
});

/**
 * @example
 * const name: ActionName = 'list_symbols';
 */
export type ActionName = keyof typeof actions;
/**
 * What a caller passes: what has a default may be left out.
 *
 * @example
 * const input: ActionInput<'search_docs'> = { query: 'connection pool', limit: 3 };
 */
export type ActionInput<Name extends ActionName> = z.input<(typeof actions)[Name]['input']>;
/**
 * What an action returns: its result is not parsed, so what has a default may be absent.
 *
 * @example
 * const titlesOf = ({ pages }: ActionOutput<'list_pages'>): string[] => pages.map(({ title }) => title);
 */
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
