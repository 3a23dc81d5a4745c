// Where the text of a page leads, and which pages lead to it.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { linkingPages } from '../../api/queries.ts';
import { Failure } from '../../components/error-notice.tsx';
import { count, pathOf } from '../../components/format.ts';

export function PageLinks({ page }: { readonly page: PageDetail }): ReactNode {
  return (
    <>
      <section className="section">
        <h2>Leading here</h2>
        <LinksIn page={page} />
      </section>
      <section className="section">
        <h2>Leading on</h2>
        <LinksOut page={page} />
      </section>
    </>
  );
}

function LinksIn({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(linkingPages(source, url, version));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="quiet">Looking…</p>;
  if (data.pages.length === 0)
    return <p className="quiet">No text of this source leads here; navigation is not counted.</p>;
  return (
    <ul className="links small" aria-label="Pages that lead here">
      {data.pages.map((one) => (
        <li key={one.url}>
          <span className="cut">{one.title}</span>
          <Link className="mono cut" to="/sources/$source/page" params={{ source }} search={{ url: one.url }}>
            {pathOf(one.url)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function LinksOut({ page }: { readonly page: PageDetail }): ReactNode {
  if (page.links.length === 0) return <p className="quiet">Its text leads nowhere else.</p>;
  const home = URL.canParse(page.url) ? new URL(page.url).host : '';
  return (
    <ul className="links small" aria-label={`${count(page.links.length)} places it leads to`}>
      {page.links.map(({ url, text }) => (
        <li key={url}>
          <span className="cut">{text}</span>
          {URL.canParse(url) && new URL(url).host === home ? (
            <Link className="mono cut" to="/sources/$source/page" params={{ source: page.source }} search={{ url }}>
              {pathOf(url)}
            </Link>
          ) : (
            <a className="mono cut" href={url} target="_blank" rel="noreferrer noopener">
              {url}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
