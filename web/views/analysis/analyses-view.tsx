// All analysis runs, newest first. Followed while one of them is live.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analysesQuery } from '../../api/queries.ts';
import type { AnalysisView } from '../../api/responses.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatDuration } from '../../components/format.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { AnalyzeButton } from '../source/analyze-button.tsx';
import { highlightsOf } from './analysis-summary.ts';

const COLUMNS: ReadonlyArray<Column<AnalysisView>> = [
  {
    name: 'Run',
    width: 'minmax(16rem, 1fr)',
    cell: ({ id }) => (
      <Link className="mono" to="/analysis/$id" params={{ id }}>
        {id}
      </Link>
    ),
    isMain: true,
  },
  { name: 'Status', width: '6.5rem', cell: ({ status }) => <StateBadge state={status} /> },
  { name: 'Stage', width: '10rem', cell: ({ stage }) => <span className="muted">{stage}</span> },
  { name: 'Found', width: 'minmax(12rem, 2fr)', cell: (run) => run.error ?? highlightsOf(run).join(', ') },
  { name: 'Duration', width: '5.5rem', cell: ({ durationMs }) => formatDuration(durationMs), isNumber: true },
  { name: 'Started', width: '5.5rem', cell: ({ startedAt }) => formatAgo(startedAt), isNumber: true },
];

export function AnalysesView(): ReactNode {
  const { data, error } = useQuery(analysesQuery);
  const rows = data?.items ?? [];
  return (
    <div className="view">
      <ViewHeader title="Analyses">
        <p>
          An analysis reads stored pages, without the network: their kinds, sections, key phrases, hubs and coverage.
        </p>
      </ViewHeader>
      <p className="row">
        <AnalyzeButton />
      </p>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && rows.length === 0 && <p className="muted">No analysis yet.</p>}
      {rows.length > 0 && (
        <DataTable
          label="Analyses"
          rows={rows}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          minWidth="60rem"
          height="70dvh"
        />
      )}
    </div>
  );
}
