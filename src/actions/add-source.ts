// Adds a source and starts its first run. Returns at once; the run continues in the background.

import { z } from 'zod';
import { parseArchiveReference } from '../core/archives/archive-reference.ts';
import { isFilePath, SourceName, sourceNameFromUrl, VersionName } from '../core/model/source-name.ts';
import { intervalMs } from '../core/model/interval.ts';
import { type PinakesError, pinakesError } from '../core/model/errors.ts';
import { invalidUrl, looksLikeHost, type PageUrl } from '../core/model/page-url.ts';
import { resolveCrawlSettings, PresetName } from '../core/model/preset.ts';
import { SourceSettings } from '../core/model/source-settings.ts';
import { action, type ActionDeps, localAccessOf } from './action.ts';
import { addArchive } from './support/add-archive.ts';
import { addLocal } from './support/add-local.ts';
import { checkStart } from './support/check-start.ts';
import { startFields, timeStart } from './support/started-run.ts';
import { requireWithinBounds } from './support/run-bounds.ts';

export const addSource = action({
  // A specification fixes the name of this tool.
  name: 'add_source',
  summary: 'Add documentation by its URL, its repository or its package, or a folder, file or archive by its path',
  effect: 'write',
  input: z.strictObject({
    url: z
      .string()
      .min(1)
      .describe(
        'Start of the documentation: a URL, a repository as git+https://HOST/OWNER/REPO#TAG:FOLDER, a package such as npm:zod@^4, or a path on this machine',
      ),
    name: SourceName.optional().describe('A short name; derived from the URL by default'),
    version: VersionName.default('').describe('The version of the documentation, such as 3.2'),
    ...SourceSettings.shape,
    preset: PresetName.default('llms-first'),
  }),
  output: z.object({
    source: z.string(),
    run: z.int(),
    ...startFields,
    local: z.literal(true).optional().describe('The content is read from this machine'),
    notes: z.array(z.string()).optional().describe('What the user should know'),
  }),
  bindings: {
    cli: {
      command: 'add',
      group: 'index',
      flags: ['wait'],
      positional: ['url'],
      example: 'pinakes add https://docs.example.dev --wait',
      paths: ['url'],
    },
    http: { method: 'POST', path: '/sources', status: 201 },
    mcp: {
      title: 'Add documentation',
      description:
        'Crawl and index documentation by its URL. Call it if the user wants documentation that list_sources does not show. It returns at once: follow the run with crawl_status, then call search_docs.',
      tools: 'opt-in',
      listedInputs: ['url', 'name', 'version', 'scope', 'include', 'exclude', 'maxPages', 'every'],
      hints: ['open-world'],
    },
  },

  async check({ url, scope, include, exclude, maxDepth }, exists) {
    if (parseArchiveReference(url) !== null) return;
    if (!isFilePath(url)) await checkStart(url, { scope, include, exclude, maxDepth });
    else if (looksLikeHost(url) && !exists(url)) throw invalidUrl(url);
    else if (!exists(url)) throw missingPath(url, exists);
  },

  async run({ url, name, version, every, ...settingsInput }, deps) {
    const started = timeStart();
    const { store, presets } = deps;
    const reference = parseArchiveReference(url);
    if (reference !== null)
      return {
        ...(await addArchive(reference, { name, version, every, settings: settingsInput }, deps)),
        ...started(),
      };
    if (isFilePath(url)) {
      const found = await localAccessOf(deps)
        .files.stat(url)
        .catch((error: unknown) => {
          throw looksLikeHost(url) ? invalidUrl(url, error) : error;
        });
      return { ...(await addLocal(found, { name, version }, deps)), ...started() };
    }
    const settings = { ...resolveCrawlSettings(settingsInput, presets), every };
    requireWithinBounds(settings, deps.bounds);
    const startUrl = await checkStart(url, settings);
    const definition = { name: name ?? sourceNameFromUrl(startUrl), kind: 'web', startUrl, settings } as const;
    const due = { afterMs: every === null ? null : intervalMs(every) };
    const { source, run } = await store.sources.addWithRun(definition, version, due).catch(async (error: unknown) => {
      throw (await emptySource(definition.name, store)) ?? error;
    });
    const notes = [...credentialNotes(url, startUrl), ...(await repetitionNotes(definition, store))];
    return { source: source.name, run: run.id, ...started(), ...(notes.length > 0 && { notes }) };
  },
});

/** `add fastify`: the name of a package is neither a path nor a URL. */
function missingPath(path: string, exists: (path: string) => boolean): PinakesError {
  const folder = `node_modules/${path}`;
  if (exists(folder)) return pinakesError('files.package-installed', { path, folder });
  if (PACKAGE_NAME.test(path)) return pinakesError('files.bare-name', { path });
  return pinakesError('files.unreadable', { path, reason: 'there is no such file or folder' });
}

const PACKAGE_NAME = /^(?:@[\w.-]+\/)?\w[\w-]*$/;

/** A source that exists because its first run failed needs another run, not another name. */
async function emptySource(name: string, { sources, runs, pages }: ActionDeps['store']): Promise<PinakesError | null> {
  const source = await sources.byName(name);
  const [latest] = source === null ? [] : await runs.list(1, source.id);
  if (source === null || latest?.endedAt == null) return null;
  const stored = await Promise.all(source.versions.map(({ id }) => pages.list(id, null, 1)));
  if (stored.some((list) => list.pages.length > 0)) return null;
  return pinakesError('source.empty', { source: name, state: latest.state });
}

/** Useful only with other rules; most often it is a mistake. */
async function repetitionNotes(
  { name, startUrl }: { readonly name: string; readonly startUrl: string },
  { sources }: ActionDeps['store'],
): Promise<string[]> {
  const same = (await sources.list()).find((one) => one.startUrl === startUrl && one.name !== name);
  if (same === undefined) return [];
  return [`The source ${same.name} starts at the same URL, so the same pages are stored twice`];
}

/** A user name and a password would be stored, shown and exported with the URL, so they are dropped. */
function credentialNotes(url: string, start: PageUrl): string[] {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return [];
  const { origin } = new URL(start);
  return [
    `The user name and password in the URL were not stored. To send them, set DOCS_LOGIN to user:password in Base64 and PINAKES_FETCH_SECRETS=DOCS_LOGIN@${origin}, and pass --headers 'Authorization: Basic {DOCS_LOGIN}'`,
  ];
}
