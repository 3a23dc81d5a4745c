// Two versions of a source next to each other: what an upgrade breaks, and what its changelog says about it.

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { libraryQuery, versionDiffQuery } from '../../api/queries.ts';
import type { VersionDiffResult } from '../../api/responses.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';
import { Stat } from '../../components/stat.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { ChangeLists } from './change-lists.tsx';

export interface ComparedVersions {
  readonly before?: string;
  readonly after?: string;
}

export function CompareView(): ReactNode {
  const { source } = useParams({ from: '/sources/$source/compare' });
  const chosen = useSearch({ from: '/sources/$source/compare' });
  const { data, error } = useQuery(libraryQuery);
  const stored = data?.sources.find((one) => one.source === source)?.versions ?? [];
  const versions = stored.map(({ version }) => version).filter((label) => label !== '');
  const { before = versions.at(-2) ?? '', after = versions.at(-1) ?? '' } = chosen;
  return (
    <div className="view">
      <ViewHeader title={`Versions of ${source}`} crumbs={<Crumbs source={source} />} />
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && versions.length < 2 && (
        <div className="empty">
          <h2>No two versions to compare</h2>
          <p>Add another version of this source first.</p>
        </div>
      )}
      {versions.length >= 2 && <TwoVersions source={source} versions={versions} before={before} after={after} />}
    </div>
  );
}

function Crumbs({ source }: { readonly source: string }): ReactNode {
  return (
    <>
      <Link to="/">Sources</Link>
      <span aria-hidden="true">/</span>
      <Link to="/sources/$source" params={{ source }}>
        {source}
      </Link>
    </>
  );
}

function TwoVersions(props: PickersProps): ReactNode {
  const { source, before, after } = props;
  return (
    <>
      <VersionPickers {...props} />
      {before === after ? (
        <p className="muted">Choose two different versions.</p>
      ) : (
        <Comparison key={`${before}\n${after}`} source={source} before={before} after={after} />
      )}
    </>
  );
}

interface PickersProps {
  readonly source: string;
  readonly versions: readonly string[];
  readonly before: string;
  readonly after: string;
}

function VersionPickers({ source, versions, before, after }: PickersProps): ReactNode {
  const navigate = useNavigate();
  const choose = (search: ComparedVersions): void =>
    void navigate({ to: '/sources/$source/compare', params: { source }, search, replace: true });
  return (
    <div className="row">
      <VersionPicker
        label="From"
        versions={versions}
        value={before}
        onChoose={(one) => choose({ before: one, after })}
      />
      <VersionPicker label="To" versions={versions} value={after} onChoose={(one) => choose({ before, after: one })} />
    </div>
  );
}

interface PickerProps {
  readonly label: string;
  readonly versions: readonly string[];
  readonly value: string;
  readonly onChoose: (version: string) => void;
}

function VersionPicker({ label, versions, value, onChoose }: PickerProps): ReactNode {
  return (
    <label className="row">
      <span className="label">{label}</span>
      <select
        className="input"
        style={{ width: 'auto' }}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {!versions.includes(value) && <option>{value}</option>}
        {versions.map((version) => (
          <option key={version}>{version}</option>
        ))}
      </select>
    </label>
  );
}

/** As much as one reads at once; everything is shown on request. */
const INITIAL_TOKENS = 20_000;
const ALL_TOKENS = 1_000_000;

function Comparison({ source, before, after }: Omit<PickersProps, 'versions'>): ReactNode {
  const [budget, setBudget] = useState(INITIAL_TOKENS);
  const { data, error } = useQuery(versionDiffQuery(source, { before, after, budget }));
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return <p className="muted loading">Comparing the versions…</p>;
  return (
    <>
      <Totals diff={data} />
      {data.isPartial && <p className="muted">A version has more pages than are compared.</p>}
      <ChangeLists diff={data} />
      {data.isTruncated && budget < ALL_TOKENS && (
        <p>
          <button className="button" type="button" onClick={() => setBudget(ALL_TOKENS)}>
            Show all changes
          </button>
        </p>
      )}
    </>
  );
}

function Totals({ diff: { counts } }: { readonly diff: VersionDiffResult }): ReactNode {
  return (
    <dl className="stats">
      <Stat name="Removed" value={formatCount(counts.removed)} />
      <Stat name="Renamed" value={formatCount(counts.renamed)} />
      <Stat name="Signatures" value={formatCount(counts.signatures)} />
      <Stat name="Defaults" value={formatCount(counts.defaults)} />
      <Stat name="Deprecated" value={formatCount(counts.deprecated)} />
    </dl>
  );
}
