// The properties of a page: dates, kind, media type, discovery and content hash.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { formatAgo, formatBytes, formatDuration, pathOf } from '../../components/format.ts';
import { describeDiscovery } from '../../components/discovery-labels.ts';

/** Falls back to the path for a page without a title. */
export function pageTitle({ title, url }: PageDetail): string {
  return title === '' ? pathOf(url) : title;
}

/** The URL, or the path within the folder of a local file. */
export function pageAddress({ url }: PageDetail): string {
  return url.startsWith('file:') ? pathOf(url) : url;
}

export function PageProperties({ page }: { readonly page: PageDetail }): ReactNode {
  const { analysis, found, body, metadata } = page;
  const totalMs = metadata['totalMs'];
  return (
    <dl className="pairs">
      <dt>Checked</dt>
      <dd>{formatAgo(page.checkedAt)}</dd>
      <dt>Changed</dt>
      <dd>{formatAgo(page.changedAt)}</dd>
      <dt>Page kind</dt>
      <dd>{typeof metadata['pageKind'] === 'string' ? metadata['pageKind'] : 'page'}</dd>
      {analysis !== null && analysis.section !== null && (
        <>
          <dt>Section</dt>
          <dd>{analysis.section}</dd>
        </>
      )}
      {analysis !== null && analysis.keyPhrases.length > 0 && (
        <>
          <dt>Key phrases</dt>
          <dd>{analysis.keyPhrases.join(', ')}</dd>
        </>
      )}
      <dt>Media type</dt>
      <dd className="mono">{page.mediaType}</dd>
      {found !== null && (
        <>
          <dt>Found</dt>
          <dd>
            {describeDiscovery(found.by, found.depth)}
            {found.on !== null && (
              <>
                , on{' '}
                <Link to="/sources/$source/page" params={{ source: page.source }} search={{ url: found.on }}>
                  {pathOf(found.on)}
                </Link>
              </>
            )}
          </dd>
        </>
      )}
      {typeof totalMs === 'number' && totalMs > 0 && (
        <>
          <dt>Response time</dt>
          <dd className="num">{formatDuration(totalMs)}</dd>
        </>
      )}
      <dt>Stored body</dt>
      <dd className="num">{body === null ? 'none' : `${formatBytes(body.bytes)} as ${body.encoding}`}</dd>
      <dt>Content hash</dt>
      <dd className="mono" title={page.contentHash}>
        {page.contentHash.slice(0, 16)}
      </dd>
    </dl>
  );
}
