// Every action, in the order in which help and reference show them.

import type { Action } from './action.ts';
import { addSource } from './add-source.ts';
import { agentsMd } from './agents-md.ts';
import { crawlStatus } from './crawl-status.ts';
import { backupLibrary } from './backup-library.ts';
import { editSource } from './edit-source.ts';
import { exportSource } from './export-source.ts';
import { importBundle } from './import-bundle.ts';
import { backlinks } from './backlinks.ts';
import { listSources } from './list-sources.ts';
import { outlineSource } from './outline-source.ts';
import { controlRun } from './control-run.ts';
import { listEvents } from './list-events.ts';
import { libraryHealth } from './library-health.ts';
import { listPages } from './list-pages.ts';
import { listPresets } from './list-presets.ts';
import { listProblems } from './list-problems.ts';
import { listUrls } from './list-urls.ts';
import { pageBody } from './page-body.ts';
import { pageHistory } from './page-history.ts';
import { planSource } from './plan-source.ts';
import { readDocs } from './read-docs.ts';
import { pullModel } from './pull-model.ts';
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
import { verifyStore } from './verify-store.ts';

export const actions = [
  addSource,
  planSource,
  recrawlSource,
  editSource,
  removeSource,
  reindexSource,
  searchDocs,
  readDocs,
  listSources,
  listPages,
  listPresets,
  showPage,
  backlinks,
  pageHistory,
  pageBody,
  libraryHealth,
  outlineSource,
  listSourceSymbols,
  exportSource,
  agentsMd,
  importBundle,
  exportSources,
  importSources,
  backupLibrary,
  crawlStatus,
  controlRun,
  listEvents,
  listProblems,
  listUrls,
  previewPage,
  createToken,
  listTokens,
  revokeToken,
  pullModel,
  verifyStore,
  showSettings,
] as unknown as readonly Action[];
