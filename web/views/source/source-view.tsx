// One source: its statistics, crawl settings and pages.

import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import type { SourceHealth } from '../../api/responses.ts';
import { libraryQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo, formatCount, formatUntil } from '../../components/format.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { describeInterval, describeSettings } from './describe-settings.ts';
import { ViewHeader } from '../../components/view-header.tsx';
import { Stat } from '../../components/stat.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { RunPlots } from '../history/run-plots.tsx';
import { PageTable } from './page-table.tsx';
import { SourceActions } from './source-actions.tsx';
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
        {source !== undefined && <p className="mono small">{source.start}</p>}
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
            { name: 'pages', label: 'Pages', panel: () => <PageTable source={source.source} /> },
            { name: 'tree', label: 'Site tree', panel: () => <SiteTreePanel source={source} /> },
            { name: 'history', label: 'History', panel: () => <RunPlots source={source.source} /> },
          ]}
        />
      )}
    </div>
  );
}

function SourceSummary({ source }: { readonly source: SourceHealth }): ReactNode {
  const version = source.versions.at(-1);
  const settings: Partial<SourceSettings> = source.settings;
  const rules = source.kind === 'folder' ? [] : describeSettings(settings);
  return (
    <>
      <dl className="stats">
        <Stat name="Pages" value={formatCount(version?.pages ?? 0)} />
        <Stat name="Chunks" value={formatCount(version?.chunks ?? 0)} />
        <Stat name="Oldest check" value={version?.oldestCheckAt == null ? '–' : formatAgo(version.oldestCheckAt)} />
        <Stat name="Last change" value={version?.changedAt == null ? '–' : formatAgo(version.changedAt)} />
        <NextRun at={source.nextRunAt} every={settings.every ?? null} />
      </dl>
      <div className="row small">
        {source.run !== null && (
          <Link to="/runs/$run" params={{ run: String(source.run.run) }}>
            <StateBadge state={source.run.state} label={`run ${source.run.run} ${source.run.state}`} />
          </Link>
        )}
        {rules.map((rule) => (
          <span key={rule} className="tag">
            {rule}
          </span>
        ))}
      </div>
    </>
  );
}

function NextRun({ at, every }: { readonly at: string | null; readonly every: string | null }): ReactNode {
  if (at === null || every === null) return <Stat name="Next run" value="not scheduled" />;
  return <Stat name="Next run" value={formatUntil(at)} unit={describeInterval(every)} />;
}
