// Adds a source and starts its first run. Returns at once; the run continues in the background.

import { basename } from 'node:path';
import { z } from 'zod';
import { isFileUrl } from '../core/files/file-url.ts';
import { isFilePath, sourceNameFromPath, sourceNameFromUrl } from '../core/model/source-name.ts';
import { intervalMs } from '../core/model/interval.ts';
import { type PinakesError, pinakesError } from '../core/model/errors.ts';
import { invalidUrl, looksLikeHost, pageUrl, parsePageUrl, type PageUrl } from '../core/model/page-url.ts';
import { resolveCrawlSettings, PresetName } from '../core/model/preset.ts';
import { SourceSettings } from '../core/model/source-settings.ts';
import { pickVersion } from '../core/model/version-verdict.ts';
import type { LocalStart } from '../fetch/port.ts';
import { action, type ActionDeps } from './action.ts';
import { requireWithinBounds } from './support/run-bounds.ts';
import { requireHere } from './support/resolve.ts';

export const addSource = action({
  name: 'add_source',
  summary: 'Add documentation by its URL, or a folder, file or archive by its path',
  effect: 'write',
  input: z.strictObject({
    url: z.string().min(1).describe('Start of the documentation: a URL, or a path on this machine'),
    name: z.string().min(1).max(100).optional().describe('A short name; derived from the URL by default'),
    version: z.string().max(100).default('').describe('The version of the documentation, such as 3.2'),
    ...SourceSettings.shape,
    preset: PresetName.default('llms-first'),
  }),
  output: z.object({
    source: z.string(),
    run: z.int(),
    local: z.literal(true).optional().describe('The content is read from this machine'),
    notes: z.array(z.string()).optional().describe('What the user should know'),
  }),
  bindings: {
    cli: {
      command: 'add',
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
      hints: ['open-world'],
    },
  },

  async check({ url, scope, include, exclude, maxDepth }, isThere) {
    if (!isFilePath(url)) await checkStart(url, { scope, include, exclude, maxDepth });
    else if (looksLikeHost(url) && !isThere(url)) throw invalidUrl(url);
    else if (!isThere(url))
      throw pinakesError('files.unreadable', { path: url, why: 'there is no such file or folder' });
  },

  async run({ url, name, version, every, ...settingsInput }, deps) {
    const { store, localAccess, presets } = deps;
    if (isFilePath(url)) {
      if (localAccess === null) throw pinakesError('files.forbidden', {});
      const found = await localAccess.files.stat(url).catch((error: unknown) => {
        throw looksLikeHost(url) ? invalidUrl(url, error) : error;
      });
      return addLocal(found, { name, version }, deps);
    }
    const settings = { ...resolveCrawlSettings(settingsInput, presets), every };
    requireWithinBounds(settings, deps.bounds);
    const start = await checkStart(url, settings);
    const definition = { name: name ?? sourceNameFromUrl(start), kind: 'web', start, settings } as const;
    const due = { afterMs: every === null ? null : intervalMs(every) };
    const { source, run } = await store.sources.addWithRun(definition, version, due).catch(async (error: unknown) => {
      throw (await emptySource(definition.name, store)) ?? error;
    });
    const notes = credentialNotes(url, start);
    return { source: source.name, run: run.id, ...(notes.length > 0 && { notes }) };
  },
});

/** A source that exists because its first run failed needs another run, not another name. */
async function emptySource(name: string, { sources, runs, pages }: ActionDeps['store']): Promise<PinakesError | null> {
  const source = await sources.byName(name);
  const [latest] = source === null ? [] : await runs.list(1, source.id);
  if (source === null || latest?.endedAt == null) return null;
  const stored = await Promise.all(source.versions.map(({ id }) => pages.list(id, null, 1)));
  if (stored.some((list) => list.pages.length > 0)) return null;
  return pinakesError('source.empty', { source: name, state: latest.state });
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

type ScopeSettings = Pick<SourceSettings, 'scope' | 'include' | 'exclude' | 'maxDepth'>;

/** Raises `url.invalid` for an unusable start, and `pattern.invalid` for unusable scope settings. */
async function checkStart(url: string, { scope, include, exclude, maxDepth }: ScopeSettings): Promise<PageUrl> {
  if (isFileUrl(url)) throw pinakesError('input.invalid', { why: `${url} is a file URL; pass its path instead` });
  const start = pageUrl(url);
  // Imported lazily: it loads the public suffix list, which help and usage errors do not need.
  const { compileUrlFilter } = await import('../core/url/url-filter.ts');
  compileUrlFilter({ starts: [start], scope, include, exclude, maxDepth });
  return start;
}

export interface AddedLocal {
  readonly source: string;
  readonly run: number;
  /** The caller crawls it itself: other processes may not have the files. */
  readonly local: true;
}

/** Adds local content as a source and starts a run. Adding the same folder again updates the existing source. */
export async function addLocal(
  start: LocalStart,
  options: { readonly name: string | undefined; readonly version: string },
  { store }: ActionDeps,
): Promise<AddedLocal> {
  const name = options.name ?? (start.about?.name || sourceNameFromPath(basename(start.path)));
  const existing = await store.sources.byName(name);
  const isSame = existing !== null && existing.kind === 'folder' && existing.start === start.path;
  if (!isSame) {
    const origin = parsePageUrl(start.about?.origin ?? '');
    const settings = origin === null ? {} : { origin };
    const definition = { name, kind: 'folder', start: start.path, settings } as const;
    const { run } = await store.sources.addWithRun(definition, options.version);
    return { source: name, run: run.id, local: true };
  }
  requireHere(existing);
  const version = pickVersion(existing.versions);
  if (version === undefined) throw new Error(`source ${name} has no version`);
  const run = await store.runs.start(version.id, 'incremental', {});
  return { source: name, run: run.id, local: true };
}
