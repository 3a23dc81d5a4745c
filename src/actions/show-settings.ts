// The settings of this installation with where each comes from. Read only: nothing that is asked can change them.

import { z } from 'zod';
import { action } from './action.ts';

const SettingView = z.object({
  setting: z.string(),
  env: z.string().describe('The variable that sets it'),
  value: z.unknown().describe('Secrets are masked; null where nothing is set'),
  origin: z.string().describe('default, or the file or variable that says so'),
});

export type SettingView = z.output<typeof SettingView>;

export const showSettings = action({
  name: 'show_settings',
  summary: 'Show the settings of the server and where each comes from',
  effect: 'admin',
  input: z.strictObject({}),
  output: z.object({ settings: z.array(SettingView) }),
  doors: {
    // `config print` shows the same on the command line, of the process itself.
    cli: [],
    http: { method: 'GET', path: '/settings' },
  },

  run: async (_input, { settings }) => ({ settings: settings().map((one) => ({ ...one })) }),
});
