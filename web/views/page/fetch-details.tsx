// How a page came here: where it was found, what the server said, how long it took, and the bytes that were received.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail } from '../../api/responses.ts';
import { pageBody } from '../../api/queries.ts';
import { Failure } from '../../components/error-notice.tsx';
import { Figure } from '../../components/stat.tsx';
import { ago, bytes, count, duration, pathOf } from '../../components/format.ts';
import { foundWords } from '../../components/discovery-labels.ts';

export function PageArrival({ page }: { readonly page: PageDetail }): ReactNode {
  const { arrival, found, source, aliases } = page;
  return (
    <>
      {arrival !== null && (
        <dl className="figures">
          <Figure name="Status" value={arrival.status} />
          <Figure name="First byte" value={duration(arrival.firstByteMs)} />
          <Figure name="Whole" value={duration(arrival.totalMs)} />
          <Figure name="On the wire" value={bytes(arrival.wireBytes)} />
          <Figure name="Decoded" value={bytes(arrival.bodyBytes)} />
        </dl>
      )}
      {found !== null && (
        <p>
          Found {ago(found.at)} {foundWords(found.by, found.depth)}
          {found.on !== null && (
            <>
              , on{' '}
              <Link to="/sources/$source/page" params={{ source }} search={{ url: found.on }}>
                {pathOf(found.on)}
              </Link>
            </>
          )}
          ; asked {found.attempts === 1 ? 'once' : `${count(found.attempts)} times`} in its last run.
        </p>
      )}
      {aliases.length > 0 && (
        <section className="section">
          <h2>Other addresses that lead here</h2>
          <ul className="small mono">
            {aliases.map((alias) => (
              <li key={alias}>{alias}</li>
            ))}
          </ul>
        </section>
      )}
      <section className="section">
        <h2>Headers</h2>
        {arrival === null ? (
          <p className="quiet">No server was asked for this page alone: it came from a disk or with llms-full.txt.</p>
        ) : (
          <dl className="pairs small mono">
            {Object.entries(arrival.headers).map(([name, value]) => (
              <div key={name} className="pair">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section className="section">
        <h2>Received</h2>
        <Body page={page} />
      </section>
    </>
  );
}

function Body({ page: { source, version, url } }: { readonly page: PageDetail }): ReactNode {
  const { data, error } = useQuery(pageBody(source, url, version));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="quiet">Looking…</p>;
  if (!data.isKept) return <p className="quiet">What was received is not kept.</p>;
  return (
    <>
      <p className="quiet small num">
        {bytes(data.bytes)} of {data.mediaType}
        {data.isCut && ', of which the beginning is shown'}
      </p>
      <pre className="code received" tabIndex={0}>
        {data.text}
      </pre>
    </>
  );
}
