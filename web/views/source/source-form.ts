// The form for adding or editing a source: its state, and the API requests made from it.

import type { CrawlSettings, SourceSettings } from '../../../src/core/model/source-settings.ts';

export interface SourceForm {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly scope: CrawlSettings['scope'];
  /** A built-in preset, or one of the settings of the server. */
  readonly preset: string;
  /** One glob per line. */
  readonly include: string;
  readonly exclude: string;
  /** Digits, or empty for no limit. */
  readonly maxPages: string;
  readonly maxDepth: string;
  /** Empty if the source is only updated manually. */
  readonly every: string;
  readonly otherSettings: OtherSettings;
}

/** Settings that are rarely needed, as the API takes them. */
export type OtherSettings = Partial<
  Omit<CrawlSettings, 'scope' | 'preset' | 'include' | 'exclude' | 'maxPages' | 'maxDepth'>
>;

export const EMPTY_FORM: SourceForm = {
  url: '',
  name: '',
  version: '',
  scope: 'path',
  preset: 'llms-first',
  include: '',
  exclude: '',
  maxPages: '',
  maxDepth: '',
  every: '',
  otherSettings: {},
};

/** The form filled with the current settings of a source. */
export function formFromSource(source: string, start: string, settings: Partial<SourceSettings>): SourceForm {
  const { every, scope, preset, include = [], exclude = [], maxPages, maxDepth, ...otherSettings } = settings;
  return {
    ...EMPTY_FORM,
    url: start,
    name: source,
    scope: scope ?? EMPTY_FORM.scope,
    preset: preset ?? EMPTY_FORM.preset,
    include: include.join('\n'),
    exclude: exclude.join('\n'),
    maxPages: String(maxPages ?? ''),
    maxDepth: String(maxDepth ?? ''),
    every: every ?? '',
    otherSettings,
  };
}

export function splitLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Everything a plan depends on. */
export function planBody(form: SourceForm): Record<string, unknown> {
  return { ...form.otherSettings, url: form.url.trim(), ...crawlRules(form) };
}

export function addBody(form: SourceForm): Record<string, unknown> {
  const { name, version, every } = form;
  return {
    ...planBody(form),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(version.trim() !== '' && { version: version.trim() }),
    every: every === '' ? null : every,
  };
}

/** States every setting, so that fields which were cleared are unset. */
export function editBody(form: SourceForm): Record<string, unknown> {
  return {
    ...form.otherSettings,
    ...crawlRules(form),
    name: form.name.trim(),
    every: form.every === '' ? null : form.every,
  };
}

function crawlRules({ scope, preset, include, exclude, maxPages, maxDepth }: SourceForm): Record<string, unknown> {
  const pageLimit = Number(maxPages);
  return {
    scope,
    preset,
    include: splitLines(include),
    exclude: splitLines(exclude),
    maxPages: pageLimit >= 1 ? pageLimit : null,
    maxDepth: maxDepth === '' ? null : Number(maxDepth),
  };
}
