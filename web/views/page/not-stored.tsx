// A page that is not in the library: it was never stored, or it was removed and its last text is shown.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { PageRevisions } from '../../api/responses.ts';
import { ApiError } from '../../api/client.ts';
import { pageRevisionsQuery } from '../../api/queries.ts';
import { formatAgo } from '../../components/format.ts';
import { MarkdownView, type PageTarget } from '../../markdown/markdown-view.tsx';

export function isNotStored(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

interface NotStoredProps {
  readonly url: string;
  readonly source: string;
  readonly version: string;
}

/** A page that was removed has a history; one that was never stored has none. */
export function NotStored({ url, source, version }: NotStoredProps): ReactNode {
  const { data, isPending } = useQuery({ ...pageRevisionsQuery(source, url, version), retry: false });
  if (isPending) return <div className="view" aria-busy="true" />;
  const removed = data?.removed ?? null;
  return (
    <div className="view">
      <div className="empty">
        <h1>{removed === null ? 'This page is not in the library' : 'This page was removed'}</h1>
        <p className="mono">{url}</p>
        <p>
          {removed === null
            ? 'It may be outside the scope of the source, or a rule excluded it. The latest run of the source lists the reasons.'
            : `It was removed ${formatAgo(removed.at)}, because the site no longer has it or a rule excludes it now.`}
        </p>
        <p className="row">
          <Link className="button" to="/sources/$source" params={{ source }}>
            All pages of {source}
          </Link>
          {/^https?:/.test(url) && (
            <a className="button plain" href={url} target="_blank" rel="noreferrer noopener">
              Open on the web
            </a>
          )}
        </p>
      </div>
      {removed !== null && <LastText removed={removed} url={url} source={source} />}
    </div>
  );
}

interface LastTextProps {
  readonly removed: NonNullable<PageRevisions['removed']>;
  readonly url: string;
  readonly source: string;
}

function LastText({ removed: { title, since, text }, url, source }: LastTextProps): ReactNode {
  const pageLink = useCallback(
    ({ url: target }: PageTarget, inside: ReactNode): ReactNode => (
      <Link to="/sources/$source/page" params={{ source }} search={{ url: target }}>
        {inside}
      </Link>
    ),
    [source],
  );
  return (
    <section className="section">
      <header>
        <h2>Its last text: {title}</h2>
        <span className="muted small">fetched {formatAgo(since)}</span>
      </header>
      {text === null ? (
        <p className="muted">It was too long to keep.</p>
      ) : (
        <MarkdownView text={text} title={title} base={url} pageLink={pageLink} />
      )}
    </section>
  );
}
