// One page: as a person reads it, as chunks with their ids, where it leads and where it was found, and how it came.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { ApiError } from '../../api/client.ts';
import { onePage } from '../../api/queries.ts';
import { MarkdownView, type PageTarget } from '../../markdown/markdown-view.tsx';
import { Failure } from '../../components/error-notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { ChunkList } from './chunk-list.tsx';
import { PageArrival } from './fetch-details.tsx';
import { PageChanges } from './page-changes.tsx';
import { PageFacts, titleOf } from './page-properties.tsx';
import { PageLinks } from './links-panel.tsx';

export function PageView(): ReactNode {
  const { source } = useParams({ from: '/sources/$source/page' });
  const { url, version } = useSearch({ from: '/sources/$source/page' });
  const { data, error } = useQuery(onePage(source, url, version));
  if (error instanceof ApiError && error.status === 404) return <NotStored url={url} source={source} />;
  return (
    <div className="view">
      {error !== null && <Failure error={error} />}
      {data !== undefined && <Page page={data} />}
    </div>
  );
}

function NotStored({ url, source }: { readonly url: string; readonly source: string }): ReactNode {
  return (
    <div className="view">
      <div className="empty">
        <h1>This page is not in the library</h1>
        <p className="mono">{url}</p>
        <p>The source may not reach so far, or a rule left the page out: its latest run says which.</p>
        <p className="row">
          <Link className="button" to="/sources/$source" params={{ source }}>
            Pages of {source}
          </Link>
          {/^https?:/.test(url) && (
            <a className="button plain" href={url} target="_blank" rel="noreferrer noopener">
              Open it on the web
            </a>
          )}
        </p>
      </div>
    </div>
  );
}

function Page({ page }: { readonly page: PageDetail }): ReactNode {
  const { source, outline, url: own } = page;
  const pageLink = useCallback(
    ({ url, fragment }: PageTarget, inside: ReactNode): ReactNode => {
      const heading = url === own ? outline.find(({ anchor }) => anchor === fragment) : undefined;
      if (heading !== undefined) return <a href={`#line-${heading.line}`}>{inside}</a>;
      return (
        <Link to="/sources/$source/page" params={{ source }} search={{ url }}>
          {inside}
        </Link>
      );
    },
    [source, outline, own],
  );
  return (
    <>
      <ViewHead title={titleOf(page)} crumbs={<Crumbs page={page} />}>
        <p className="mono small">
          <a href={/^https?:/.test(page.url) ? page.url : undefined} target="_blank" rel="noreferrer noopener">
            {page.url}
          </a>
        </p>
      </ViewHead>
      <div className="page-grid">
        <Tabs
          label="Ways to look at this page"
          tabs={[
            {
              name: 'read',
              label: 'Document',
              panel: () => <MarkdownView text={page.text} title={page.title} base={page.url} pageLink={pageLink} />,
            },
            { name: 'chunks', label: `Chunks (${page.parts.length})`, panel: () => <ChunkList chunks={page.parts} /> },
            { name: 'links', label: 'Links', panel: () => <PageLinks page={page} /> },
            { name: 'changes', label: 'Changes', panel: () => <PageChanges page={page} /> },
            { name: 'arrival', label: 'How it came', panel: () => <PageArrival page={page} /> },
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
        <aside className="aside" aria-label="About this page">
          <PageFacts page={page} />
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
