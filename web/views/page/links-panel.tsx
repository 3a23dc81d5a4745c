// The backlinks and outgoing links of a page.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { backlinksQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, pathOf } from '../../components/format.ts';

export function LinksPanel({ page }: { readonly page: PageDetail }): ReactNode {
  return (
    <>
      <section className="section">
        <h2>Backlinks</h2>
        <Backlinks page={page} />
      </section>
      <section className="section">
        <h2>Outgoing links</h2>
        <Outlinks page={page} />
      </section>
    </>
  );
}

function Backlinks({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(backlinksQuery(source, url, version));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted">Loading…</p>;
  if (data.pages.length === 0)
    return <p className="muted">No page of this source links here. Links in navigation are not counted.</p>;
  return (
    <ul className="links small" aria-label="Pages that link here">
      {data.pages.map((one) => (
        <li key={one.url}>
          <span className="truncate">{one.title}</span>
          <Link className="mono truncate" to="/sources/$source/page" params={{ source }} search={{ url: one.url }}>
            {pathOf(one.url)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Outlinks({ page }: { readonly page: PageDetail }): ReactNode {
  if (page.links.length === 0) return <p className="muted">No outgoing links.</p>;
  const home = URL.canParse(page.url) ? new URL(page.url).host : '';
  return (
    <ul className="links small" aria-label={`${formatCount(page.links.length)} outgoing links`}>
      {page.links.map(({ url, text }) => (
        <li key={url}>
          <span className="truncate">{text}</span>
          {URL.canParse(url) && new URL(url).host === home ? (
            <Link
              className="mono truncate"
              to="/sources/$source/page"
              params={{ source: page.source }}
              search={{ url }}
            >
              {pathOf(url)}
            </Link>
          ) : (
            <a className="mono truncate" href={url} target="_blank" rel="noreferrer noopener">
              {url}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
