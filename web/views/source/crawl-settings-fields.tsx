// Form fields for the crawl settings of a source, with instant verdicts on the URLs of the plan and on any URL typed in.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { presetsQuery } from '../../api/queries.ts';
import { previewUrls, type PreviewedUrl, type UrlVerdict } from './preview-urls.ts';
import { SCOPES, describeInterval, intervalOptions, presetOptions } from './describe-settings.ts';
import { MoreSettingsFields } from './more-settings-fields.tsx';
import { splitLines, type SourceForm } from './source-form.ts';

export interface CrawlSettingsFieldsProps {
  readonly form: SourceForm;
  readonly change: (changes: Partial<SourceForm>) => void;
  readonly samples: readonly PreviewedUrl[];
}

export function CrawlSettingsFields({ form, change, samples }: CrawlSettingsFieldsProps): ReactNode {
  const { data } = useQuery(presetsQuery);
  return (
    <>
      <ScopeField scope={form.scope} set={(scope) => change({ scope })} />
      <div className="columns" style={{ gap: '1rem' }}>
        <GlobField label="Include" hint="/guide/**" value={form.include} set={(include) => change({ include })} />
        <GlobField label="Exclude" hint="/blog/**" value={form.exclude} set={(exclude) => change({ exclude })} />
      </div>
      <div className="columns" style={{ gap: '1rem' }}>
        <label className="field">
          <span>Discover pages through</span>
          <select className="input" value={form.preset} onChange={(event) => change({ preset: event.target.value })}>
            {presetOptions(data?.presets ?? []).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Update</span>
          <select className="input" value={form.every} onChange={(event) => change({ every: event.target.value })}>
            {intervalOptions(form.every).map((every) => (
              <option key={every} value={every}>
                {describeInterval(every)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="columns" style={{ gap: '1rem' }}>
        <LimitField
          label="Maximum pages"
          unset="as the server is set"
          value={form.maxPages}
          set={(maxPages) => change({ maxPages })}
        />
        <LimitField
          label="Maximum depth"
          unset="no limit"
          value={form.maxDepth}
          set={(maxDepth) => change({ maxDepth })}
        />
      </div>
      <MoreSettingsFields settings={form.otherSettings} set={(otherSettings) => change({ otherSettings })} />
      <UrlTester form={form} samples={samples} />
    </>
  );
}

interface ScopeFieldProps {
  readonly scope: SourceForm['scope'];
  readonly set: (scope: SourceForm['scope']) => void;
}

function ScopeField({ scope, set }: ScopeFieldProps): ReactNode {
  return (
    <fieldset className="field plain-fieldset">
      <legend>Scope</legend>
      <div className="switch">
        {SCOPES.map(({ value, label }) => (
          <label key={value}>
            <input
              className="visually-hidden"
              type="radio"
              name="scope"
              checked={scope === value}
              onChange={() => set(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface LimitFieldProps {
  readonly label: string;
  /** The default if nothing is entered. */
  readonly unset: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function LimitField({ label, unset, value, set }: LimitFieldProps): ReactNode {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className="input num"
        inputMode="numeric"
        placeholder={unset}
        value={value}
        onChange={(event) => set(event.target.value.replaceAll(/\D/g, '').slice(0, 9))}
      />
    </label>
  );
}

interface GlobFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

export function GlobField({ label, hint, value, set }: GlobFieldProps): ReactNode {
  return (
    <label className="field">
      <span>
        {label} <small>path patterns, one per line</small>
      </span>
      <textarea
        className="input"
        rows={2}
        placeholder={hint}
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    </label>
  );
}

function UrlTester({ form, samples }: Pick<CrawlSettingsFieldsProps, 'form' | 'samples'>): ReactNode {
  const [typed, setTyped] = useState('');
  const { url: start, scope } = form;
  const preview = useMemo(() => {
    const input = {
      startUrl: start.trim(),
      scope,
      include: splitLines(form.include),
      exclude: splitLines(form.exclude),
    };
    const typedUrls = splitLines(typed).map((url) => ({ url, robotsRule: null }));
    return previewUrls(input, [...typedUrls, ...samples]);
  }, [start, scope, form.include, form.exclude, typed, samples]);
  return (
    <div className="stack">
      <label className="field">
        <span>
          Test a URL <small>checked against the rules, nothing is fetched</small>
        </span>
        <input
          className="input mono"
          placeholder="https://docs.example.dev/blog/post"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {preview.kind === 'invalid' && start !== '' && (
        <p className="notice" data-tone="warn">
          {preview.message}
        </p>
      )}
      {preview.kind === 'verdicts' && (
        <ul className="verdicts small" aria-live="polite" aria-label="URL verdicts">
          {preview.verdicts.map((verdict) => (
            <VerdictRow key={verdict.url} verdict={verdict} />
          ))}
        </ul>
      )}
    </div>
  );
}

function VerdictRow({ verdict: { url, isIncluded, rule } }: { readonly verdict: UrlVerdict }): ReactNode {
  return (
    <li>
      <span>
        <span className="tag" data-tone={isIncluded ? 'good' : 'bad'}>
          {isIncluded ? 'included' : 'excluded'}
        </span>
      </span>
      <span className="mono truncate" title={url}>
        {url}
      </span>
      <span className="muted truncate" title={rule}>
        {rule}
      </span>
    </li>
  );
}
