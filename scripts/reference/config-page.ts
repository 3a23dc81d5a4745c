// docs/reference/config.md, from the configuration schema.

import { describeSettings, type Setting } from '../../src/platform/config/settings.ts';
import { inCode, page, table } from './markdown.ts';

export function configPage(): string {
  const rows = describeSettings().map((setting) => [
    inCode(setting.path),
    inCode(setting.env),
    valueText(setting),
    setting.defaultText ? defaultText(setting.defaultText) : 'not set',
    setting.description + (setting.secret ? '. Secret: masked in output' : ''),
    setting.inWorkingFolder ?? '',
  ]);
  return page(
    'Settings',
    `A value comes from a flag, otherwise from the environment, otherwise from a config file, otherwise it is the default. \`pinakes
config print\` shows each value and where it comes from. A config file is a JSON object in which \`fetch.timeoutMs\` is written
\`{ "fetch": { "timeoutMs": 60000 } }\`; a relative path in it starts at its folder. In the environment a list is separated by
commas, and an empty variable counts as not set. An unknown setting is an error. Names that begin with \`PINAKES_TEST_\` are
reserved for tests.`,
    table(
      ['config file', 'what it may set'],
      [
        ['the file that `PINAKES_CONFIG` names; `-` is standard input', 'everything; no other file is read'],
        [
          '`~/.config/pinakes/config.json`; on macOS `~/Library/Application Support/pinakes/config.json`, on Windows `%APPDATA%\\pinakes\\config.json`',
          'everything',
        ],
        [
          '`pinakes.config.json` in the working folder',
          'limits to lower, delays to raise and restrictions to turn on, marked in the last column. Anything else in it is an error: the folder may be a repository by another author',
        ],
      ],
    ),
    table(['setting', 'variable', 'value', 'default', 'description', 'working folder may'], rows),
  );
}

function valueText({ kind, choices }: Setting): string {
  return kind === 'choice' ? choices.map(inCode).join(', ') : kind;
}

/** A default that is described in words contains its own code spans. */
function defaultText(text: string): string {
  return text.includes('`') ? text : inCode(text);
}
