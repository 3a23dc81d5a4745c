// Fields for the settings of a source that are rarely needed, declared in one table: a setting without a field does not compile.

import type { ReactNode } from 'react';
import type { CrawlSettings } from '../../../src/core/model/source-settings.ts';
import { splitLines, type OtherSettings } from './source-form.ts';

type Field =
  | { readonly kind: 'lines' | 'text'; readonly label: string; readonly hint: string; readonly placeholder: string }
  | { readonly kind: 'number'; readonly label: string; readonly hint: string }
  | { readonly kind: 'flag'; readonly label: string; readonly hint: string }
  | { readonly kind: 'choice'; readonly label: string; readonly hint: string; readonly options: readonly string[] };

const FIELDS = {
  queryParams: {
    kind: 'lines',
    label: 'Query parameters',
    hint: 'keep, drop or skip, one per line',
    placeholder: 'page=keep',
  },
  headers: {
    kind: 'lines',
    label: 'Headers',
    hint: 'sent to the origin of the start URL, with secrets as variables',
    placeholder: 'Authorization: Bearer {DOCS_TOKEN}',
  },
  maxAge: {
    kind: 'lines',
    label: 'Refetch after',
    hint: 'an age, or one for a page kind, one per line',
    placeholder: 'reference=7d',
  },
  llmsTxt: {
    kind: 'text',
    label: 'URL of llms.txt',
    hint: 'if it is not where it is expected',
    placeholder: 'https://docs.example.dev/llms.txt',
  },
  requestsPerSecond: { kind: 'number', label: 'Requests per second', hint: 'at most, to each host' },
  concurrency: { kind: 'number', label: 'Concurrency', hint: 'URLs fetched at a time by one process' },
  maxMinutes: { kind: 'number', label: 'Maximum minutes', hint: 'of a run' },
  requestTimeoutMs: { kind: 'number', label: 'Timeout', hint: 'of a response, in milliseconds' },
  requestJitterMinMs: { kind: 'number', label: 'Shortest extra delay', hint: 'in milliseconds' },
  requestJitterMaxMs: { kind: 'number', label: 'Longest extra delay', hint: 'in milliseconds' },
  render: {
    kind: 'choice',
    label: 'Render in a browser',
    hint: '',
    options: ['auto', 'never', 'always'],
  },
  hubMaxPages: { kind: 'number', label: 'Links of a hub first', hint: 'with a plan: how many of each hub' },
  hubMaxDays: { kind: 'number', label: 'Changed within days', hint: 'with a plan: begin with no older hub' },
  intMaxSeeds: { kind: 'number', label: 'Hubs to begin with', hint: 'with a plan: at most, 50 if not set' },
  intTargetHosts: {
    kind: 'lines',
    label: 'Planned hosts',
    hint: 'ends of host names, one per line',
    placeholder: 'example.dev',
  },
  plannerVerbosity: { kind: 'number', label: 'Log of the plan', hint: 'from 0 to 3' },
  stopAtCoverage: { kind: 'number', label: 'Stop at coverage', hint: 'with a plan: a share from 0.5 to 1' },
  confirmRemovals: { kind: 'flag', label: 'Confirm removals', hint: 'remove deleted pages even if there are many' },
  ignoreTerms: { kind: 'flag', label: 'Ignore terms of use', hint: 'only with the permission of the owner' },
  preferCache: { kind: 'flag', label: 'Use stored pages', hint: 'fetch only pages that are not stored' },
} as const satisfies Record<keyof OtherSettings, Field>;

const NAMES = Object.keys(FIELDS) as Array<keyof OtherSettings>;

interface MoreSettingsFieldsProps {
  readonly settings: OtherSettings;
  readonly set: (settings: OtherSettings) => void;
}

export function MoreSettingsFields({ settings, set }: MoreSettingsFieldsProps): ReactNode {
  const changed = NAMES.filter((name) => isSet(settings[name])).length;
  return (
    <details className="more-settings">
      <summary>More settings {changed > 0 && <span className="tag num">{changed} set</span>}</summary>
      <div className="field-grid">
        {NAMES.map((name) => (
          <SettingField
            key={name}
            field={FIELDS[name]}
            value={settings[name]}
            set={(value) => set({ ...settings, [name]: value })}
          />
        ))}
      </div>
    </details>
  );
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false;
}

type SettingValue = CrawlSettings[keyof OtherSettings] | undefined;

interface SettingFieldProps {
  readonly field: Field;
  readonly value: SettingValue;
  readonly set: (value: SettingValue) => void;
}

function SettingField({ field, value, set }: SettingFieldProps): ReactNode {
  if (field.kind === 'flag')
    return (
      <label className="row flag">
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
        <FieldLabel field={field} />
      </label>
    );
  return (
    <label className="field">
      <FieldLabel field={field} />
      <FieldInput field={field} value={value} set={set} />
    </label>
  );
}

function FieldLabel({ field: { label, hint } }: { readonly field: Field }): ReactNode {
  return (
    <span>
      {label} {hint !== '' && <small>{hint}</small>}
    </span>
  );
}

function FieldInput({ field, value, set }: SettingFieldProps): ReactNode {
  switch (field.kind) {
    case 'lines':
      return (
        <textarea
          className="input"
          rows={2}
          placeholder={field.placeholder}
          defaultValue={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(event) => set([...splitLines(event.target.value)])}
        />
      );
    case 'choice':
      return (
        <select
          className="input"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">as the server is set</option>
          {field.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          className="input num"
          type="number"
          min={0}
          step="any"
          placeholder="not set"
          value={typeof value === 'number' ? value : ''}
          onChange={(event) => set(event.target.value === '' ? null : event.target.valueAsNumber)}
        />
      );
    case 'text':
      return (
        <input
          className="input"
          placeholder={field.placeholder}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.target.value.trim() === '' ? null : event.target.value.trim())}
        />
      );
    case 'flag':
      return null;
  }
}
