// One page: its document, chunks, links, changes and fetch details.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { PageDetail, PageHistory } from '../../api/responses.ts';
import { ApiError } from '../../api/client.ts';
import { pageHistoryQuery, pageQuery } from '../../api/queries.ts';
import { MarkdownView, type PageTarget } from '../../markdown/markdown-view.tsx';
import { formatAgo } from '../../components/format.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { ChunkList } from './chunk-list.tsx';
import { FetchDetails } from './fetch-details.tsx';
import { PageChanges } from './page-changes.tsx';
import { PageProperties, pageTitle } from './page-properties.tsx';
import { LinksPanel } from './links-panel.tsx';

export function PageView(): ReactNode {
  const { source } = useParams({ from: '/sources/$source/page' });
  const { url, version } = useSearch({ from: '/sources/$source/page' });
  const { data, error } = useQuery(pageQuery(source, url, version));
  if (error instanceof ApiError && error.status === 404)
    return <NotStored url={url} source={source} version={version ?? ''} />;
  return (
    <div className="view">
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && <Page page={data} />}
    </div>
  );
}

interface NotStoredProps {
  readonly url: string;
  readonly source: string;
  readonly version: string;
}

/** A page that was removed has a history; one that was never stored has none. */
function NotStored({ url, source, version }: NotStoredProps): ReactNode {
  const { data, isPending } = useQuery({ ...pageHistoryQuery(source, url, version), retry: false });
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
  readonly removed: NonNullable<PageHistory['removed']>;
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

function Page({ page }: { readonly page: PageDetail }): ReactNode {
  const { source, outline, url: pageUrl } = page;
  const pageLink = useCallback(
    ({ url, fragment }: PageTarget, inside: ReactNode): ReactNode => {
      const heading = url === pageUrl ? outline.find(({ anchor }) => anchor === fragment) : undefined;
      if (heading !== undefined) return <a href={`#line-${heading.line}`}>{inside}</a>;
      return (
        <Link to="/sources/$source/page" params={{ source }} search={{ url }}>
          {inside}
        </Link>
      );
    },
    [source, outline, pageUrl],
  );
  return (
    <>
      <ViewHeader title={pageTitle(page)} crumbs={<Crumbs page={page} />}>
        <p className="mono small">
          <a href={/^https?:/.test(page.url) ? page.url : undefined} target="_blank" rel="noreferrer noopener">
            {page.url}
          </a>
        </p>
      </ViewHeader>
      <div className="page-grid">
        <Tabs
          label="Views of this page"
          tabs={[
            {
              name: 'read',
              label: 'Document',
              panel: () => <MarkdownView text={page.text} title={page.title} base={page.url} pageLink={pageLink} />,
            },
            {
              name: 'chunks',
              label: `Chunks (${page.chunkList.length})`,
              panel: () => <ChunkList chunks={page.chunkList} />,
            },
            { name: 'links', label: 'Links', panel: () => <LinksPanel page={page} /> },
            { name: 'changes', label: 'Changes', panel: () => <PageChanges page={page} /> },
            { name: 'fetch', label: 'Fetch details', panel: () => <FetchDetails page={page} /> },
            {
              name: 'source',
              label: 'Markdown',
              panel: () => (
                <pre className="code" tabIndex={0}>
                  {page.text}
                </pre>
              ),
            },
          ]}
        />
        <aside className="aside" aria-label="Page properties">
          <PageProperties page={page} />
          {page.outline.length > 1 && <Outline page={page} />}
        </aside>
      </div>
    </>
  );
}

function Crumbs({ page: { source, version } }: { readonly page: PageDetail }): ReactNode {
  return (
    <>
      <Link to="/">Sources</Link>
      <span aria-hidden="true">/</span>
      <Link to="/sources/$source" params={{ source }}>
        {source}
      </Link>
      {version !== '' && <span className="tag">{version}</span>}
    </>
  );
}

function Outline({ page }: { readonly page: PageDetail }): ReactNode {
  return (
    <nav className="outline" aria-label="Outline">
      <h2 className="label">Outline</h2>
      {page.outline.map(({ level, text, line }) => (
        <a key={line} href={`#line-${line}`} style={{ '--level': level } as Record<string, number>}>
          {text}
        </a>
      ))}
    </nav>
  );
}
