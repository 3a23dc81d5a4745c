// The tree of a site: folders that open, with what is stored, excluded and failed in each.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { reasonLabel } from '../../../src/core/outcome/reasons.table.ts';
import type { PageView, SourceStats, UrlView } from '../../api/responses.ts';
import { pagesQuery, unstoredUrlsQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatCount, pathOf } from '../../components/format.ts';
import { siteTree, type TreeFolder, type TreeState, type TreeUrl } from './site-tree.ts';

/** More URLs of one folder are shown on request. */
const MAX_SHOWN = 200;

const TONES: Readonly<Record<TreeState, string>> = { stored: 'good', excluded: 'none', failed: 'bad', other: 'warn' };

export function SiteTreePanel({ source }: { readonly source: SourceStats }): ReactNode {
  const pages = useQuery(pagesQuery(source.source, undefined));
  const unstored = useQuery(unstoredUrlsQuery(source.run?.run ?? null));
  const tree = useMemo(
    () => siteTree([...(pages.data ?? []).map(storedUrl), ...(unstored.data?.urls ?? []).map(unstoredUrl)]),
    [pages.data, unstored.data],
  );
  const error = pages.error ?? unstored.error;
  if (error !== null) return <ErrorNotice error={error} />;
  if (pages.isPending) return <div className="loading" aria-hidden="true" />;
  if (tree.length === 0) return <p className="muted">No URLs yet.</p>;
  return (
    <>
      <p className="muted small">
        Stored pages, and what the latest run excluded or could not store
        {unstored.data?.isComplete === false && ' (the first URLs of each outcome)'}.
      </p>
      <ul className="site-tree">
        {tree.map((folder) => (
          <Folder key={folder.name} folder={folder} source={source.source} isOpenAtFirst />
        ))}
      </ul>
    </>
  );
}

function storedUrl({ url, pageKind, confidence }: PageView): TreeUrl {
  return { url, state: 'stored', pageKind, confidence, reason: null };
}

function unstoredUrl({ url, outcome, reason }: UrlView): TreeUrl {
  const state = outcome === 'excluded' || outcome === 'failed' ? outcome : 'other';
  const label = reason === null ? null : reasonLabel(reason);
  return { url, state, pageKind: null, confidence: null, reason: state === 'other' ? `${outcome}: ${label}` : label };
}

interface FolderProps {
  readonly folder: TreeFolder;
  readonly source: string;
  readonly isOpenAtFirst?: boolean;
}

function Folder({ folder, source, isOpenAtFirst = false }: FolderProps): ReactNode {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <button type="button" className="tree-row" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span className="mono truncate">{folder.name}/</span>
        <FolderCounts folder={folder} />
      </button>
      {isOpen && (
        <ul>
          {folder.folders.map((child) => (
            <Folder key={child.name} folder={child} source={source} />
          ))}
          <FolderUrls urls={folder.urls} source={source} />
        </ul>
      )}
    </li>
  );
}

function FolderCounts({ folder: { counts, kinds, confidence } }: { readonly folder: TreeFolder }): ReactNode {
  const states = (Object.keys(TONES) as TreeState[]).filter((state) => counts[state] > 0);
  return (
    <span className="row small num">
      <span className="muted tree-kinds">
        {kinds
          .slice(0, 3)
          .map(([kind, pages]) => `${kind} ${formatCount(pages)}`)
          .join(', ')}
        {confidence !== null && ` · confidence ${formatShare(confidence)}`}
      </span>
      {states.map((state) => (
        <span key={state} className="tag" data-tone={TONES[state]}>
          {formatCount(counts[state])} {state === 'other' ? 'not stored' : state}
        </span>
      ))}
    </span>
  );
}

function FolderUrls({ urls, source }: { readonly urls: readonly TreeUrl[]; readonly source: string }): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? urls : urls.slice(0, MAX_SHOWN);
  return (
    <>
      {shown.map((url) => (
        <li key={url.url} className="tree-row">
          <UrlName url={url} source={source} />
          <UrlSummary url={url} />
        </li>
      ))}
      {shown.length < urls.length && (
        <li>
          <button className="button small" type="button" onClick={() => setIsWhole(true)}>
            Show {formatCount(urls.length - shown.length)} more
          </button>
        </li>
      )}
    </>
  );
}

function UrlName({ url: { url, state }, source }: { readonly url: TreeUrl; readonly source: string }): ReactNode {
  const name = pathOf(url).split('/').at(-1);
  const label = name === undefined || name === '' ? pathOf(url) : name;
  if (state !== 'stored')
    return (
      <span className="mono muted truncate" title={url}>
        {label}
      </span>
    );
  return (
    <Link className="mono truncate" title={url} to="/sources/$source/page" params={{ source }} search={{ url }}>
      {label}
    </Link>
  );
}

function UrlSummary({ url: { state, pageKind, confidence, reason } }: { readonly url: TreeUrl }): ReactNode {
  if (state === 'stored')
    return (
      <span className="row small muted num">
        {pageKind ?? 'page'}
        {confidence !== null && <span>{formatShare(confidence)}</span>}
      </span>
    );
  return (
    <span className="row small tree-reason">
      <span className="muted truncate" title={reason ?? undefined}>
        {reason}
      </span>
      <span className="tag" data-tone={TONES[state]}>
        {state === 'other' ? 'not stored' : state}
      </span>
    </span>
  );
}

function formatShare(share: number): string {
  return `${Math.round(share * 100)} %`;
}
