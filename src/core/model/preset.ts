// The catalogue of presets: those that come with the program say where pages are looked for; an operator adds presets of
// their own, each a name for settings of a crawl.

import { z } from 'zod';
import { pinakesError } from './errors.ts';
import { CrawlSettings, PRESETS, RunOverrides } from './source-settings.ts';

/** As one names it: whether it is known is seen when it is used. */
export const PresetName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'not a name of small letters, digits and dashes')
  .describe(`Where pages are looked for: ${Object.keys(PRESETS).join(', ')}, or a preset of your own`);

export const OwnPresets = z.record(
  PresetName.refine((name) => !isBuiltIn(name), 'the name of a preset that comes with the program'),
  RunOverrides,
);
export type OwnPresets = Readonly<z.output<typeof OwnPresets>>;

type Named<Settings> = Omit<Settings, 'preset'> & { readonly preset?: string | undefined };

/** The settings of a new crawl. What was said of it, other than what is usual, stands over what its preset says. */
export function crawlSettingsOf(given: Named<CrawlSettings>, own: OwnPresets): CrawlSettings {
  const usual: Readonly<Record<string, unknown>> = CrawlSettings.parse({});
  const said = Object.entries(given).filter(([name, value]) => !isSame(value, usual[name]));
  return CrawlSettings.parse(overridesOf(Object.fromEntries(said), own));
}

/** What is said anew of a crawl that has settings already. */
export function overridesOf(given: Named<RunOverrides>, own: OwnPresets): RunOverrides {
  const { preset, ...others } = given;
  if (preset === undefined || isBuiltIn(preset)) return given as RunOverrides;
  const meant = own[preset];
  if (meant === undefined) {
    const known = [...Object.keys(PRESETS), ...Object.keys(own)].join(', ');
    throw pinakesError('preset.unknown', { preset, known });
  }
  const said = Object.entries(others).filter(([, value]) => value !== undefined);
  return { ...meant, ...Object.fromEntries(said) };
}

function isBuiltIn(name: string): boolean {
  return Object.hasOwn(PRESETS, name);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
