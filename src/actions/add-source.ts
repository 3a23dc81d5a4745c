// Adds a source and starts its first run. Answers at once; the run goes on by itself.

import { z } from 'zod';
import { isFileUrl } from '../core/files/file-url.ts';
import { isLocalStart } from '../core/local/local-source-name.ts';
import { intervalMs } from '../core/model/interval.ts';
import { pinakesError } from '../core/model/errors.ts';
import { pageUrl, type PageUrl } from '../core/model/page-url.ts';
import { crawlSettingsOf, PresetName } from '../core/model/preset.ts';
import { sourceNameOf } from '../core/model/source-name.ts';
import { SourceSettings } from '../core/model/source-settings.ts';
import { action } from './action.ts';
import { addLocal } from './add-local.ts';

export const addSource = action({
  name: 'add_source',
  summary: 'Add documentation by its URL, or a folder, file or archive by its path',
  effect: 'write',
  input: z.strictObject({
    url: z.string().min(1).describe('Where the documentation begins: a URL, or a path on this machine'),
    name: z.string().min(1).max(100).optional().describe('A short name; taken from the URL unless given'),
    version: z.string().max(100).default('').describe('The version of the documentation, such as 3.2'),
    ...SourceSettings.shape,
    preset: PresetName.default('llms-first'),
  }),
  output: z.object({
    source: z.string(),
    run: z.int(),
    local: z.literal(true).optional().describe('It is read from this machine'),
  }),
  doors: {
    cli: {
      command: 'add',
      positional: ['url'],
      example: 'pinakes add https://docs.example.dev --wait',
      paths: ['url'],
    },
    http: { method: 'POST', path: '/sources' },
    mcp: { title: 'Add documentation', tools: 'opt-in' },
  },

  async check({ url, breadth, allow, block, maxDepth }, isThere) {
    if (!isLocalStart(url)) await checkedStart(url, { breadth, allow, block, maxDepth });
    else if (looksLikeHost(url) && !isThere(url)) throw pinakesError('url.invalid', { url });
    else if (!isThere(url))
      throw pinakesError('local.unreadable', { path: url, why: 'there is no such file or folder' });
  },

  async run({ url, name, version, every, ...given }, deps) {
    const { store, local, presets } = deps;
    if (isLocalStart(url)) {
      if (local === null) throw pinakesError('local.forbidden', {});
      const found = await local.files.look(url).catch((error: unknown) => {
        throw looksLikeHost(url) ? pinakesError('url.invalid', { url }, error) : error;
      });
      return addLocal(found, { name, version }, deps);
    }
    const settings = { ...crawlSettingsOf(given, presets), every };
    const start = await checkedStart(url, settings);
    const source = await store.sources.add(
      { name: name ?? sourceNameOf(start), kind: 'web', start, settings },
      version,
      { afterMs: every === null ? null : intervalMs(every) },
    );
    const [first] = source.versions;
    if (first === undefined) throw new Error(`source ${source.name} has no version`);
    const run = await store.runs.start(first.id, 'incremental', {});
    return { source: source.name, run: run.id };
  },
});

type Bounds = Pick<SourceSettings, 'breadth' | 'allow' | 'block' | 'maxDepth'>;

/** Raises what a start on the web, or the bounds around it, cannot be. */
async function checkedStart(url: string, { breadth, allow, block, maxDepth }: Bounds): Promise<PageUrl> {
  if (isFileUrl(url)) throw pinakesError('input.invalid', { why: `${url} is a URL of a file; give its path` });
  const start = pageUrl(url);
  // Late, because it brings the list of public suffixes, which help and mistakes can do without.
  const { compileScope } = await import('../core/url/url-filter.ts');
  compileScope({ starts: [start], breadth, allow, block, maxDepth });
  return start;
}

/** `docs.example.dev/guide` that is no file was meant as an address. */
function looksLikeHost(text: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/:]|$)/i.test(text);
}
