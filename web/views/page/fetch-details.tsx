// How a page was fetched: discovery, response status and timing, headers, and the stored response body.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { pageBodyQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Stat } from '../../components/stat.tsx';
import { formatAgo, formatBytes, formatDuration, formatQuantity, pathOf } from '../../components/format.ts';
import { describeDiscovery } from '../../components/discovery-labels.ts';

export function FetchDetails({ page }: { readonly page: PageDetail }): ReactNode {
  const { responseMeta, found, source, aliases } = page;
  return (
    <>
      {responseMeta !== null && (
        <dl className="stats">
          <Stat name="Status" value={responseMeta.status} />
          <Stat name="First byte" value={formatDuration(responseMeta.firstByteMs)} />
          <Stat name="Total" value={formatDuration(responseMeta.totalMs)} />
          <Stat name="Transferred" value={formatBytes(responseMeta.wireBytes)} />
          <Stat name="Decoded" value={formatBytes(responseMeta.bodyBytes)} />
        </dl>
      )}
      {found !== null && (
        <p>
          Found {formatAgo(found.at)} {describeDiscovery(found.by, found.depth)}
          {found.on !== null && (
            <>
              , on{' '}
              <Link to="/sources/$source/page" params={{ source }} search={{ url: found.on }}>
                {pathOf(found.on)}
              </Link>
            </>
          )}
          ; {formatQuantity(found.attempts, 'attempt')} in its last run.
        </p>
      )}
      {aliases.length > 0 && (
        <section className="section">
          <h2>Other URLs of this page</h2>
          <ul className="small mono">
            {aliases.map((alias) => (
              <li key={alias}>{alias}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="section">
        <h2>Response headers</h2>
        {responseMeta === null ? (
          <p className="muted">No response was recorded for this page: it came from disk or from llms-full.txt.</p>
        ) : (
          <dl className="pairs small mono">
            {Object.entries(responseMeta.headers).map(([name, value]) => (
              <div key={name} className="pair">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section className="section">
        <h2>Response body</h2>
        <ResponseBody page={page} />
      </section>
    </>
  );
}

function ResponseBody({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(pageBodyQuery(source, url, version));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted">Loading…</p>;
  if (!data.isStored) return <p className="muted">The response body is not stored.</p>;
  return (
    <>
      <p className="muted small num">
        {formatBytes(data.bytes)}, {data.mediaType}
        {data.isTruncated && ', only the beginning is shown'}
      </p>
      <pre className="code response-body" tabIndex={0}>
        {data.text}
      </pre>
    </>
  );
}
