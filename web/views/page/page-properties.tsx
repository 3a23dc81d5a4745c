// What is known of a page beside its text, in pairs.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { ago, bytes, duration, pathOf } from '../../components/format.ts';
import { foundWords } from '../../components/discovery-labels.ts';

/** A page without a title is called by its path. */
export function titleOf({ title, url }: PageDetail): string {
  return title === '' ? pathOf(url) : title;
}

export function PageFacts({ page }: { readonly page: PageDetail }): ReactNode {
  const { found, body, facts } = page;
  const totalMs = facts['totalMs'];
  return (
    <dl className="pairs">
      <dt>Checked</dt>
      <dd>{ago(page.checkedAt)}</dd>
      <dt>Changed</dt>
      <dd>{ago(page.changedAt)}</dd>
      <dt>Kind</dt>
      <dd>{typeof facts['kind'] === 'string' ? facts['kind'] : 'page'}</dd>
      <dt>Type</dt>
      <dd className="mono">{page.mediaType}</dd>
      {found !== null && (
        <>
          <dt>Found</dt>
          <dd>
            {foundWords(found.by, found.depth)}
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
          <dt>Arrived in</dt>
          <dd className="num">{duration(totalMs)}</dd>
        </>
      )}
      <dt>Received</dt>
      <dd className="num">{body === null ? 'not kept' : `${bytes(body.bytes)} as ${body.encoding}`}</dd>
      <dt>Content</dt>
      <dd className="mono" title={page.contentHash}>
        {page.contentHash.slice(0, 16)}
      </dd>
    </dl>
  );
}
