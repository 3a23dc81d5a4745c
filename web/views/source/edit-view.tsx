// Changes a source for good. What the new rules would leave out of the pages that are there is told at once; the plan asks the
// site. Nothing is removed here: the next run does it, with its proof.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { Edited, SourceHealth } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { library, pagesOf, queryClient } from '../../api/queries.ts';
import { Failure, Refused } from '../../components/error-notice.tsx';
import { count } from '../../components/format.ts';
import { ViewHead } from '../../components/view-header.tsx';
import { PlanView } from './plan-panel.tsx';
import { ScopeEditor } from './crawl-settings-fields.tsx';
import { judgeUrls } from './preview-urls.ts';
import { editBody, linesOf, wishOf, type SourceWish } from './source-form.ts';
import { usePlan } from './use-plan.ts';

export function EditView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source/edit' });
  const { data, error } = useQuery(library);
  const source = data?.sources.find((one) => one.source === name);
  const crumbs = (
    <>
      <Link to="/">Sources</Link>
      <span aria-hidden="true">/</span>
      <Link to="/sources/$source" params={{ source: name }}>
        {name}
      </Link>
    </>
  );
  return (
    <div className="view">
      <ViewHead title={`Change ${name}`} crumbs={crumbs}>
        <p>Pages that the new rules leave out stay until the next run has asked them once more.</p>
      </ViewHead>
      {error !== null && <Failure error={error} />}
      {data !== undefined && source === undefined && <p className="empty">There is no source of this name.</p>}
      {source !== undefined && <EditForm key={source.source} source={source} />}
    </div>
  );
}

function EditForm({ source }: { readonly source: SourceHealth }): ReactNode {
  const [wish, setWish] = useState<SourceWish>(() => wishOf(source.source, source.start, source.settings));
  const change = (part: Partial<SourceWish>): void => setWish({ ...wish, ...part });
  const isFolder = source.kind === 'folder';
  const { plan, isAddress, samples } = usePlan(wish);
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => {
      const body = isFolder ? { name: wish.name.trim() } : editBody(wish);
      return post<Edited>(`/sources/${encodeURIComponent(source.source)}/edit`, body);
    },
    onSuccess: async (edited) => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      await navigate({ to: '/sources/$source', params: { source: edited.source } });
    },
  });
  return (
    <div className="two">
      <form
        className="stack"
        style={{ gap: '1.25rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            required
            maxLength={100}
            value={wish.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
        {!isFolder && <ScopeEditor wish={wish} change={change} samples={samples} />}
        {save.error !== null && <Refused what="This was not saved" error={save.error} />}
        <p className="row">
          <button className="button first" type="submit" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
          <Link className="button plain" to="/sources/$source" params={{ source: source.source }}>
            Leave it
          </Link>
        </p>
      </form>
      {isFolder ? (
        <p className="notice">A folder is read whole, by its ignore files. Adding it again brings it up to date.</p>
      ) : (
        <div className="stack" style={{ gap: '1.25rem' }}>
          <LeftOut source={source.source} wish={wish} />
          <PlanView plan={plan.data} error={plan.error} isAsking={plan.isPending} isAddress={isAddress} />
        </div>
      )}
    </div>
  );
}

/** How many of the pages that are there now would go. */
function LeftOut({ source, wish }: { readonly source: string; readonly wish: SourceWish }): ReactNode {
  const { data = [] } = useQuery(pagesOf(source, undefined));
  const { url: start, breadth, allow, block } = wish;
  const out = useMemo(() => {
    const scope = { start, breadth, allow: linesOf(allow), block: linesOf(block) };
    const judged = judgeUrls(
      scope,
      data.map(({ url }) => url),
    );
    return judged.kind === 'judged' ? judged.urls.filter(({ isTaken }) => !isTaken) : [];
  }, [start, breadth, allow, block, data]);
  if (data.length === 0) return null;
  if (out.length === 0) return <p className="quiet small">All {count(data.length)} stored pages stay.</p>;
  return (
    <div className="notice" data-tone="warn" role="status">
      <p>
        <strong>
          {count(out.length)} of {count(data.length)} stored pages
        </strong>{' '}
        {out.length === 1 ? 'is' : 'are'} left out by these rules. The next run removes{' '}
        {out.length === 1 ? 'it' : 'them'}
        {out.length > 5 && out.length > data.length / 5 && ', if it is told to: pinakes recrawl --confirm-removals'}.
      </p>
      <p className="mono small cut">{out[0]?.url}</p>
    </div>
  );
}
