// The statistics of one source: its version, size, freshness, latest run and crawl settings.

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { versionLabel } from '../../../src/core/model/declared-version.ts';
import type { SourceSettings } from '../../../src/core/model/source-settings.ts';
import type { SourceStats } from '../../api/responses.ts';
import { formatAgo, formatCount, formatUntil } from '../../components/format.ts';
import { RunReason } from '../../components/run-reason.tsx';
import { Stat } from '../../components/stat.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { describeInterval, describeSettings } from './describe-settings.ts';

export function SourceSummary({ source }: { readonly source: SourceStats }): ReactNode {
  const version = source.versions.at(-1);
  const settings: Partial<SourceSettings> = source.settings;
  const rules = source.kind === 'folder' ? [] : describeSettings(settings);
  return (
    <>
      <dl className="stats">
        {version !== undefined && <Version version={version} />}
        <Stat name="Pages" value={formatCount(version?.pages ?? 0)} />
        <Stat name="Chunks" value={formatCount(version?.chunks ?? 0)} />
        <Stat name="Oldest check" value={formatSince(version?.oldestCheckAt)} />
        <Stat name="Last change" value={formatSince(version?.changedAt)} />
        <NextRun at={source.nextRunAt} every={settings.every ?? null} />
      </dl>
      {version !== undefined && <Terms version={version} />}
      <div className="row small">
        {source.run !== null && (
          <Link to="/runs/$run" params={{ run: String(source.run.run) }}>
            <StateBadge state={source.run.state} label={`run ${source.run.run} ${source.run.state}`} />
          </Link>
        )}
        <RunReason run={source.run} />
        {rules.map((rule) => (
          <span key={rule} className="tag">
            {rule}
          </span>
        ))}
      </div>
    </>
  );
}

function formatSince(at: string | null | undefined): string {
  return at == null ? '–' : formatAgo(at);
}

function NextRun({ at, every }: { readonly at: string | null; readonly every: string | null }): ReactNode {
  if (at === null || every === null) return <Stat name="Next run" value="not scheduled" />;
  return <Stat name="Next run" value={formatUntil(at)} unit={describeInterval(every)} />;
}

/** What the site states, in its own words. */
function Terms({
  version: { usageTerms, licenses },
}: {
  readonly version: SourceStats['versions'][number];
}): ReactNode {
  const lines = [...usageTerms, ...licenses.filter((url) => !usageTerms.includes(`License: ${url}`))];
  if (lines.length === 0) return null;
  return (
    <p className="small">
      Terms of use of the site:{' '}
      {lines.map((line) => (
        <code key={line}>{line}</code>
      ))}
    </p>
  );
}

function Version({
  version: { version, declaredVersion },
}: {
  readonly version: SourceStats['versions'][number];
}): ReactNode {
  const shown = versionLabel(version, declaredVersion);
  return shown === '' ? null : <Stat name="Version" value={shown} />;
}
