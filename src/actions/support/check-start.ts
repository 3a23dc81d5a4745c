// Whether a crawl can begin at a URL.

import { repositoryUrl } from '../../core/discover/repository-url.ts';
import { isFileUrl } from '../../core/files/file-url.ts';
import { pinakesError } from '../../core/model/errors.ts';
import { pageUrl, type PageUrl } from '../../core/model/page-url.ts';
import type { SourceSettings } from '../../core/model/source-settings.ts';

type ScopeSettings = Pick<SourceSettings, 'scope' | 'include' | 'exclude' | 'maxDepth'>;

/** Raises `url.invalid` for an unusable start, and `pattern.invalid` for unusable scope settings. */
export async function checkStart(url: string, { scope, include, exclude, maxDepth }: ScopeSettings): Promise<PageUrl> {
  if (isFileUrl(url)) throw pinakesError('input.invalid', { reason: `${url} is a file URL; pass its path instead` });
  const start = pageUrl(url);
  const repository = repositoryUrl(start);
  if (repository !== null) throw pinakesError(`url.${repository.kind}`, { url, ...repository });
  // Imported lazily: it loads the public suffix list, which help and usage errors do not need.
  const { compileUrlFilter } = await import('../../core/url/url-filter.ts');
  compileUrlFilter({ starts: [start], scope, include, exclude, maxDepth });
  return start;
}
