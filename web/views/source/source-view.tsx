// One source: its statistics, crawl settings and pages.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { libraryQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { RunPlots } from '../history/run-plots.tsx';
import { PageTable } from './page-table.tsx';
import { SourceSummary } from './source-summary.tsx';
import { SourceActions } from './source-actions.tsx';
import { CoveragePanel } from './coverage-panel.tsx';
import { SiteTreePanel } from './site-tree-panel.tsx';

export function SourceView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source' });
  const { data, error } = useQuery(libraryQuery);
  const source = data?.sources.find((one) => one.source === name);
  const isUnknown = data !== undefined && source === undefined;
  return (
    <div className="view">
      <ViewHeader
        title={name}
        crumbs={<Link to="/">Sources</Link>}
        {...(source && { actions: <SourceActions source={source} /> })}
      >
        {source !== undefined && <p className="mono small">{source.startUrl}</p>}
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {isUnknown && (
        <div className="empty">
          <h2>Source not found</h2>
          <Link className="button" to="/">
            Back to sources
          </Link>
        </div>
      )}
      {source !== undefined && <SourceSummary source={source} />}
      {source !== undefined && (
        <Tabs
          label="Contents of the source"
          tabs={[
            { name: 'pages', label: 'Pages', panel: () => <PageTable source={source.source} run={source.run} /> },
            { name: 'tree', label: 'Site tree', panel: () => <SiteTreePanel source={source} /> },
            { name: 'coverage', label: 'Coverage', panel: () => <CoveragePanel source={source.source} /> },
            { name: 'history', label: 'History', panel: () => <RunPlots source={source.source} /> },
          ]}
        />
      )}
    </div>
  );
}
