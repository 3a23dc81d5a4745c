// Adds a source. Before anything is stored, a plan shows what would be crawled, what would be excluded, and by which rule.

import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { AddSourceResult, Plan } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { libraryQuery, queryClient } from '../../api/queries.ts';
import { FormError } from '../../components/error-notice.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { PlanNotice, PlanPanel } from './plan-panel.tsx';
import { existingSource, type ExistingSource } from './existing-source.ts';
import { CrawlSettingsFields } from './crawl-settings-fields.tsx';
import { addBody, EMPTY_FORM, type SourceForm } from './source-form.ts';
import { usePlan } from './use-plan.ts';

export function AddView(): ReactNode {
  const [form, setForm] = useState<SourceForm>(EMPTY_FORM);
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: () => post<AddSourceResult>('/sources', addBody(form)),
    onSuccess: async ({ run }) => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      await navigate({ to: '/runs/$run', params: { run: String(run) } });
    },
  });
  const { plan, current, hasUrl, samples } = usePlan(form);
  const { data: library } = useQuery(libraryQuery);
  const existing = existingSource(form, library?.sources ?? []);
  const obstacle = describeObstacle(existing, current);
  const change = (changes: Partial<SourceForm>): void => setForm({ ...form, ...changes });
  return (
    <div className="view">
      <ViewHeader title="Add a source" crumbs={<Link to="/">Sources</Link>}>
        <p>The plan contacts the site but stores nothing. It updates as you type.</p>
      </ViewHeader>
      <div className="columns">
        <form
          className="stack"
          style={{ gap: '1.25rem' }}
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate();
          }}
        >
          <IdentityFields form={form} change={change} />
          {existing !== null && <ExistingNotice existing={existing} />}
          <PlanNotice plan={current} />
          <CrawlSettingsFields form={form} change={change} samples={samples} />
          {add.error !== null && <FormError title="Could not add the source" error={add.error} />}
          <p className="row">
            <button
              className="button primary"
              type="submit"
              aria-describedby="add-obstacle"
              disabled={!hasUrl || add.isPending || obstacle !== null}
            >
              {add.isPending ? 'Adding…' : 'Add and start crawling'}
            </button>
            <Link className="button plain" to="/">
              Cancel
            </Link>
            <span id="add-obstacle" className="muted small">
              {obstacle}
            </span>
          </p>
        </form>
        <PlanPanel plan={plan.data} error={plan.error} isLoading={plan.isPending} hasUrl={hasUrl} />
      </div>
    </div>
  );
}

/** Why the source cannot be added; null if it can. */
function describeObstacle(existing: ExistingSource | null, plan: Plan | undefined): string | null {
  if (existing?.isNameTaken) return 'The name is in use.';
  const verdict = plan?.verdict ?? null;
  return verdict?.isBlocking ? `${verdict.title}.` : null;
}

function ExistingNotice({ existing: { source, isNameTaken } }: { readonly existing: ExistingSource }): ReactNode {
  return (
    <div className="notice" data-tone="warn" role="status">
      <strong>{isNameTaken ? `${source} is in the library already` : `${source} starts at the same URL`}</strong>
      <p>
        {isNameTaken
          ? 'Update it, or add this URL under another name.'
          : 'Adding it again stores the same pages twice. That is useful only with other rules.'}
      </p>
      <p>
        <Link className="button" to="/sources/$source" params={{ source }}>
          Open {source}
        </Link>
      </p>
    </div>
  );
}

interface IdentityFieldsProps {
  readonly form: SourceForm;
  readonly change: (changes: Partial<SourceForm>) => void;
}

function IdentityFields({ form, change }: IdentityFieldsProps): ReactNode {
  const start = useRef<HTMLInputElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <>
      <label className="field">
        <span>Start URL</span>
        <input
          ref={start}
          className="input large"
          type="url"
          required
          placeholder="https://docs.example.dev/"
          value={form.url}
          onChange={(event) => change({ url: event.target.value })}
        />
      </label>
      <div className="columns" style={{ gap: '1rem' }}>
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            placeholder="derived from the URL"
            value={form.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Version</span>
          <input
            className="input"
            placeholder="none"
            value={form.version}
            onChange={(event) => change({ version: event.target.value })}
          />
        </label>
      </div>
    </>
  );
}
