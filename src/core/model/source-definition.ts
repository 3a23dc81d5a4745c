// A source as a definitions file has it: its start, its versions and its settings, without pages.

import { z } from 'zod';
import { SourceName, VersionName } from './source-name.ts';
import { SourceSettings } from './source-settings.ts';

export const DefinedSource = z.strictObject({
  name: SourceName,
  startUrl: z.string().min(1),
  versions: z.array(VersionName).default(['']),
  settings: SourceSettings.partial().default({}),
});

export type DefinedSource = z.output<typeof DefinedSource>;
