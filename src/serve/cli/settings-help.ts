// The settings that the help of a command names. Apart from the list of commands, which must not load the schema of all settings.

import { describeSettings } from '../../platform/config/settings.ts';

export type SettingsHelp = (paths: readonly string[]) => string;

/** The settings that matter most to a command, with their variables and defaults, for its help. */
export function settingsHelp(paths: readonly string[]): string {
  const settings = describeSettings().filter(({ path }) => paths.includes(path));
  const names = settings.map(
    ({ env, defaultText }) =>
      `${env}${defaultText === null || defaultText === '' ? '' : ` (${plainText(defaultText)})`}`,
  );
  const width = Math.max(...names.map((name) => name.length));
  const lines = settings.map(({ description }, i) => `  ${(names[i] ?? '').padEnd(width)}  ${description}`);
  return `\nSettings, with their defaults; pinakes config print lists all:\n${lines.join('\n')}`;
}

function plainText(text: string): string {
  return text.replaceAll('`', '');
}
