// Shows the settings of this installation and where each value comes from. Read only: no request can change them.

import { z } from 'zod';
import { action } from './action.ts';

const SettingView = z.object({
  setting: z.string(),
  env: z.string().describe('Environment variable that sets it'),
  value: z.unknown().describe('Secrets are masked; null if not set'),
  origin: z.string().describe('default, or the file or variable that sets it'),
});

export type SettingView = z.output<typeof SettingView>;

export const showSettings = action({
  name: 'show_settings',
  summary: 'Show the settings of the server and where each comes from',
  effect: 'admin',
  input: z.strictObject({}),
  output: z.object({ settings: z.array(SettingView) }),
  bindings: {
    // On the command line `config print` shows the settings of its own process.
    cli: [],
    http: { method: 'GET', path: '/settings' },
  },

  run: async (_input, { settings }) => ({ settings: settings().map((one) => ({ ...one })) }),
});
