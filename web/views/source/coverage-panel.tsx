// The coverage of a source: its sections and hubs, with the missing pages of each.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { coverageQuery } from '../../api/queries.ts';
import type { CoverageView } from '../../api/responses.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';

/** More are in the response of the API. */
const MAX_SHOWN = 50;

export function CoveragePanel({ source }: { readonly source: string }): ReactNode {
  const { data, error } = useQuery(coverageQuery(source));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <div className="loading" aria-hidden="true" />;
  if (data.promised === 0) return <p className="muted">The site has no list and no menu that names pages.</p>;
  const { estimate } = data;
  return (
    <>
      <p className="muted small">
        {formatCount(data.stored)} of {formatCount(data.promised)} pages that the site promises are stored (
        {Math.floor(data.coverage * 100)}%). It has about {formatCount(estimate.pages)} pages.
      </p>
      <table>
        <thead>
          <tr>
            <th>Section</th>
            <th className="num">Stored</th>
            <th className="num">Promised</th>
            <th>Missing</th>
          </tr>
        </thead>
        <tbody>
          {data.sections.slice(0, MAX_SHOWN).map(({ slug, label, stored, promised, missing }) => (
            <tr key={slug}>
              <td>{label}</td>
              <td className="num">{formatCount(stored)}</td>
              <td className="num">{formatCount(promised)}</td>
              <td className="mono small">{missing.slice(0, 3).join(' ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <HubList hubs={data.hubs} />
    </>
  );
}

function HubList({ hubs }: Pick<CoverageView, 'hubs'>): ReactNode {
  return (
    <ul>
      {hubs.map(({ taxonomy, expected, validated, missing }) => (
        <li key={taxonomy}>
          {validated} of {expected} {taxonomy} hubs are validated
          {missing.length > 0 && (
            <span className="mono small">
              {' '}
              {missing
                .slice(0, 5)
                .map(({ url }) => new URL(url).pathname)
                .join(' ')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
