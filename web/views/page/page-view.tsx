// One page: its document, chunks, links, changes and fetch details.

import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { pageQuery } from '../../api/queries.ts';
import { MarkdownView, type PageTarget } from '../../markdown/markdown-view.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { ChunkList } from './chunk-list.tsx';
import { FetchDetails } from './fetch-details.tsx';
import { PageRevisions } from './page-revisions.tsx';
import { PageProperties, pageAddress, pageTitle } from './page-properties.tsx';
import { LinksPanel } from './links-panel.tsx';
import { isNotStored, NotStored } from './not-stored.tsx';

export function PageView(): ReactNode {
  const { source } = useParams({ from: '/sources/$source/page' });
  const { url, version } = useSearch({ from: '/sources/$source/page' });
  const { data, error } = useQuery(pageQuery(source, url, version));
  if (isNotStored(error)) return <NotStored url={url} source={source} version={version ?? ''} />;
  return (
    <div className="view">
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && <Page page={data} />}
    </div>
  );
}

function Page({ page }: { readonly page: PageDetail }): ReactNode {
  return (
    <>
      <ViewHeader title={pageTitle(page)} crumbs={<Crumbs page={page} />}>
        <p className="mono small">
          <a href={/^https?:/.test(page.url) ? page.url : undefined} target="_blank" rel="noreferrer noopener">
            {pageAddress(page)}
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
              panel: () => <PageText page={page} />,
            },
            {
              name: 'chunks',
              label: `Chunks (${page.chunkList.length})`,
              panel: () => <ChunkList chunks={page.chunkList} />,
            },
            { name: 'links', label: 'Links', panel: () => <LinksPanel page={page} /> },
            { name: 'revisions', label: 'Revisions', panel: () => <PageRevisions page={page} /> },
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

/** Scrolled to the section that the address names. */
function PageText({ page }: { readonly page: PageDetail }): ReactNode {
  const { source, outline, url: pageUrl, text, title } = page;
  const line = useLocation({ select: ({ hash }) => lineOf(hash, outline) });
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
  return <MarkdownView text={text} title={title} base={pageUrl} pageLink={pageLink} line={line} />;
}

/** A fragment is an anchor of the page, or `line-12`. */
function lineOf(fragment: string, outline: PageDetail['outline']): number | undefined {
  const heading = outline.find(({ anchor }) => anchor !== null && anchor === fragment);
  const [, number] = /^line-(\d{1,9})$/.exec(fragment) ?? [];
  return heading?.line ?? (number === undefined ? undefined : Number(number));
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
