// Edits a source. Shows at once which stored pages the new rules would exclude; the plan contacts the site. Nothing is removed
// here: the next run does that, after it has confirmed each removal.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { EditSourceResult, SourceStats } from '../../api/responses.ts';
import { patch } from '../../api/client.ts';
import { libraryQuery, pagesQuery, queryClient } from '../../api/queries.ts';
import { ErrorNotice, FormError } from '../../components/error-notice.tsx';
import { formatCount } from '../../components/format.ts';
import { ViewHeader } from '../../components/view-header.tsx';
import { PlanNotice, PlanPanel } from './plan-panel.tsx';
import { CrawlSettingsFields } from './crawl-settings-fields.tsx';
import { previewUrls } from './preview-urls.ts';
import { editBody, splitLines, formFromSource, type SourceForm } from './source-form.ts';
import { usePlan } from './use-plan.ts';

export function EditView(): ReactNode {
  const { source: name } = useParams({ from: '/sources/$source/edit' });
  const { data, error } = useQuery(libraryQuery);
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
      <ViewHeader title={`Edit ${name}`} crumbs={crumbs}>
        <p>Pages that the new rules exclude are fetched once more by the next run and then removed.</p>
      </ViewHeader>
      {error !== null && <ErrorNotice error={error} />}
      {data !== undefined && source === undefined && <p className="empty">Source not found.</p>}
      {source !== undefined && <EditForm key={source.source} source={source} />}
    </div>
  );
}

function EditForm({ source }: { readonly source: SourceStats }): ReactNode {
  const [form, setForm] = useState<SourceForm>(() => formFromSource(source.source, source.startUrl, source.settings));
  const change = (changes: Partial<SourceForm>): void => setForm({ ...form, ...changes });
  const isFolder = source.kind === 'folder';
  const { plan, current, hasUrl, samples } = usePlan(form);
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => {
      const body = isFolder ? { name: form.name.trim() } : editBody(form);
      return patch<EditSourceResult>(`/sources/${encodeURIComponent(source.source)}`, body);
    },
    onSuccess: async (edited) => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      await navigate({ to: '/sources/$source', params: { source: edited.source } });
    },
  });
  return (
    <div className="columns">
      <form
        className="stack"
        style={{ gap: '1.25rem' }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <NameField name={form.name} set={(name) => change({ name })} />
        <PlanNotice plan={current} />
        {!isFolder && <CrawlSettingsFields form={form} change={change} samples={samples} />}
        {save.error !== null && <FormError title="Could not save the changes" error={save.error} />}
        <p className="row">
          <button className="button primary" type="submit" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save'}
          </button>
          <Link className="button plain" to="/sources/$source" params={{ source: source.source }}>
            Cancel
          </Link>
        </p>
      </form>
      {isFolder ? (
        <p className="notice">
          A folder is indexed as a whole, except for what its ignore files exclude. Add it again to update it.
        </p>
      ) : (
        <div className="stack" style={{ gap: '1.25rem' }}>
          <ExcludedPages source={source.source} form={form} />
          <PlanPanel plan={plan.data} error={plan.error} isLoading={plan.isPending} hasUrl={hasUrl} />
        </div>
      )}
    </div>
  );
}

function NameField({ name, set }: { readonly name: string; readonly set: (name: string) => void }): ReactNode {
  return (
    <label className="field">
      <span>Name</span>
      <input className="input" required maxLength={100} value={name} onChange={(event) => set(event.target.value)} />
    </label>
  );
}

/** How many stored pages the new rules would exclude. */
function ExcludedPages({ source, form }: { readonly source: string; readonly form: SourceForm }): ReactNode {
  const { data = [] } = useQuery(pagesQuery(source, undefined));
  const { url: start, scope, include, exclude } = form;
  const excluded = useMemo(() => {
    const input = { startUrl: start, scope, include: splitLines(include), exclude: splitLines(exclude) };
    const preview = previewUrls(
      input,
      data.map(({ url }) => ({ url, robotsRule: null })),
    );
    return preview.kind === 'verdicts' ? preview.verdicts.filter(({ isIncluded }) => !isIncluded) : [];
  }, [start, scope, include, exclude, data]);
  if (data.length === 0) return null;
  if (excluded.length === 0) return <p className="muted small">All {formatCount(data.length)} stored pages stay.</p>;
  return (
    <div className="notice" data-tone="warn" role="status">
      <p>
        <strong>
          {formatCount(excluded.length)} of {formatCount(data.length)} stored pages
        </strong>{' '}
        would be excluded by these rules. The next run removes {excluded.length === 1 ? 'it' : 'them'}
        {excluded.length > 5 && excluded.length > data.length / 5 && (
          <>
            {' '}
            only if you confirm it with <code className="mono">pinakes recrawl --confirm-removals</code>
          </>
        )}
        .
      </p>
      <p className="mono small truncate">{excluded[0]?.url}</p>
    </div>
  );
}
