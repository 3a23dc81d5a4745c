// Adds a source. Before anything is stored, a plan shows what would be read and what left out, and by which rule.

import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Added } from '../../api/responses.ts';
import { post } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Refused } from '../../components/error-notice.tsx';
import { ViewHead } from '../../components/view-header.tsx';
import { PlanView } from './plan-panel.tsx';
import { ScopeEditor } from './crawl-settings-fields.tsx';
import { addBody, emptyWish, type SourceWish } from './source-form.ts';
import { usePlan } from './use-plan.ts';

export function AddView(): ReactNode {
  const [wish, setWish] = useState<SourceWish>(emptyWish);
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: () => post<Added>('/sources', addBody(wish)),
    onSuccess: async ({ run }) => {
      await queryClient.invalidateQueries({ queryKey: ['library'] });
      await navigate({ to: '/runs/$run', params: { run: String(run) } });
    },
  });
  const { plan, isAddress, samples } = usePlan(wish);
  const change = (part: Partial<SourceWish>): void => setWish({ ...wish, ...part });
  return (
    <div className="view">
      <ViewHead title="Add a source" crumbs={<Link to="/">Sources</Link>}>
        <p>The plan asks the site and stores nothing. It follows what you write.</p>
      </ViewHead>
      <div className="two">
        <form
          className="stack"
          style={{ gap: '1.25rem' }}
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate();
          }}
        >
          <Address wish={wish} change={change} />
          <ScopeEditor wish={wish} change={change} samples={samples} />
          {add.error !== null && <Refused what="This was not added" error={add.error} />}
          <p className="row">
            <button className="button first" type="submit" disabled={!isAddress || add.isPending}>
              {add.isPending ? 'Adding…' : 'Add and start the first run'}
            </button>
            <Link className="button plain" to="/">
              Leave it
            </Link>
          </p>
        </form>
        <PlanView plan={plan.data} error={plan.error} isAsking={plan.isPending} isAddress={isAddress} />
      </div>
    </div>
  );
}

interface AddressProps {
  readonly wish: SourceWish;
  readonly change: (part: Partial<SourceWish>) => void;
}

function Address({ wish, change }: AddressProps): ReactNode {
  return (
    <>
      <label className="field">
        <span>Where the documentation begins</span>
        <input
          className="input tall"
          type="url"
          required
          placeholder="https://docs.example.dev/"
          value={wish.url}
          onChange={(event) => change({ url: event.target.value })}
        />
      </label>
      <div className="two" style={{ gap: '1rem' }}>
        <label className="field">
          <span>Name</span>
          <input
            className="input"
            placeholder="from the address"
            value={wish.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Version</span>
          <input
            className="input"
            placeholder="none"
            value={wish.version}
            onChange={(event) => change({ version: event.target.value })}
          />
        </label>
      </div>
    </>
  );
}
