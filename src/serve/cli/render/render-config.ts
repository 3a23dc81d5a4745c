// The settings, each with its value and where the value comes from.

import type { LoadedConfig } from '../../../platform/config/load-config.ts';
import { originText, printConfig } from '../../../platform/config/print-config.ts';

export function renderConfig(loaded: LoadedConfig, json: boolean): string {
  const settings = printConfig(loaded);
  if (json) return `${JSON.stringify(settings)}\n`;
  const width = Math.max(...settings.map(({ setting }) => setting.length));
  return settings
    .map(
      ({ setting, value, origin }) =>
        `${setting.padEnd(width)}  ${value === null ? '(not set)' : JSON.stringify(value)}  ${originText(origin)}\n`,
    )
    .join('');
}
