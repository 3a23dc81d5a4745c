// Starts a run of a source with its own mode and URL filter. The settings of the source stay as they are.

import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { post } from '../../api/client.ts';
import { FormError } from '../../components/error-notice.tsx';
import { ViewHeader } from '../../components/view-header.tsx';
import { GlobField, LimitField } from './crawl-settings-fields.tsx';
import { splitLines } from './source-form.ts';

const MODES = [
  { value: 'incremental', label: 'Incremental', about: 'Check stored pages for changes, and discover new ones.' },
  { value: 'refresh', label: 'Refresh', about: 'Check stored pages for changes; discover nothing.' },
  { value: 'full', label: 'Full', about: 'Fetch and extract every page again, as if nothing were stored.' },
  { value: 'retry', label: 'Retry', about: 'Fetch only what failed in the latest run.' },
] as const;

type Mode = (typeof MODES)[number]['value'];

interface RunForm {
  readonly mode: Mode;
  readonly include: string;
  readonly exclude: string;
  readonly maxPages: string;
  readonly confirmRemovals: boolean;
}

const EMPTY_FORM: RunForm = { mode: 'incremental', include: '', exclude: '', maxPages: '', confirmRemovals: false };

export function RecrawlView(): ReactNode {
  const { source } = useParams({ from: '/sources/$source/recrawl' });
  const [form, setForm] = useState(EMPTY_FORM);
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => post<{ run: number }>(`/sources/${encodeURIComponent(source)}/recrawl`, recrawlBody(form)),
    onSuccess: ({ run }) => navigate({ to: '/runs/$run', params: { run: String(run) } }),
  });
  const change = (changes: Partial<RunForm>): void => setForm({ ...form, ...changes });
  return (
    <div className="view">
      <ViewHeader title={`Update ${source}`} crumbs={<Crumbs source={source} />}>
        <p>These choices apply to one run. The settings of the source stay as they are.</p>
      </ViewHeader>
      <form
        className="stack remove-form"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <ModeField mode={form.mode} set={(mode) => change({ mode })} />
        <GlobField label="Include" hint="/guide/**" value={form.include} set={(include) => change({ include })} />
        <GlobField label="Exclude" hint="/blog/**" value={form.exclude} set={(exclude) => change({ exclude })} />
        <LimitField
          label="Maximum pages"
          unset="as the source is set"
          value={form.maxPages}
          set={(maxPages) => change({ maxPages })}
        />
        <label className="choice">
          <input
            type="checkbox"
            checked={form.confirmRemovals}
            onChange={(event) => change({ confirmRemovals: event.target.checked })}
          />
          Remove deleted pages even if there are many
        </label>
        {start.error !== null && <FormError title="The run could not be started" error={start.error} />}
        <p className="row">
          <button className="button primary" type="submit" disabled={start.isPending}>
            {start.isPending ? 'Starting…' : 'Start the run'}
          </button>
          <Link className="button plain" to="/sources/$source" params={{ source }}>
            Cancel
          </Link>
        </p>
      </form>
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

function ModeField({ mode, set }: { readonly mode: Mode; readonly set: (mode: Mode) => void }): ReactNode {
  return (
    <fieldset className="field plain-fieldset">
      <legend>Mode</legend>
      {MODES.map(({ value, label, about }) => (
        <label key={value} className="choice">
          <input type="radio" name="mode" checked={mode === value} onChange={() => set(value)} />
          <span>
            {label} <small className="muted">{about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Empty fields are not sent, so the source's settings apply. */
function recrawlBody({ mode, include, exclude, maxPages, confirmRemovals }: RunForm): Record<string, unknown> {
  const included = splitLines(include);
  const excluded = splitLines(exclude);
  return {
    mode,
    ...(included.length > 0 && { include: included }),
    ...(excluded.length > 0 && { exclude: excluded }),
    ...(Number(maxPages) >= 1 && { maxPages: Number(maxPages) }),
    ...(confirmRemovals && { confirmRemovals }),
  };
}
