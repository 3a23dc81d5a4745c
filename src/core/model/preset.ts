// Presets: the built-in ones choose how pages are discovered; an operator can define custom ones, each a name for a set of
// crawl settings.

import { z } from 'zod';
import { pinakesError } from './errors.ts';
import { CrawlSettings, PRESETS, RunOverrides } from './source-settings.ts';

/** Only the syntax is checked here; whether the preset exists is checked when it is resolved. */
export const PresetName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must consist of lower-case letters, digits and dashes')
  .describe(`How pages are discovered: ${Object.keys(PRESETS).join(', ')}, or a custom preset`);

export const CustomPresets = z.record(
  PresetName.refine((name) => !isBuiltIn(name), 'is the name of a built-in preset'),
  RunOverrides,
);
export type CustomPresets = Readonly<z.output<typeof CustomPresets>>;

type WithPresetName<Settings> = Omit<Settings, 'preset'> & { readonly preset?: string | undefined };

/** The settings of a new crawl. Values that differ from the defaults override those of the preset. */
export function resolveCrawlSettings(input: WithPresetName<CrawlSettings>, custom: CustomPresets): CrawlSettings {
  const defaults: Readonly<Record<string, unknown>> = CrawlSettings.parse({});
  const explicit = Object.entries(input).filter(([name, value]) => !isSame(value, defaults[name]));
  return CrawlSettings.parse(resolveOverrides(Object.fromEntries(explicit), custom));
}

/** Resolves the preset in the overrides of a source that already has settings. */
export function resolveOverrides(input: WithPresetName<RunOverrides>, custom: CustomPresets): RunOverrides {
  const { preset, ...others } = input;
  if (preset === undefined || isBuiltIn(preset)) return input as RunOverrides;
  const presetSettings = custom[preset];
  if (presetSettings === undefined) {
    const available = [...Object.keys(PRESETS), ...Object.keys(custom)].join(', ');
    throw pinakesError('preset.unknown', { preset, known: available });
  }
  const explicit = Object.entries(others).filter(([, value]) => value !== undefined);
  return { ...presetSettings, ...Object.fromEntries(explicit) };
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(PRESETS, name);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
