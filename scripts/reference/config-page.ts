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
  ]);
  return page(
    'Settings',
    `A value comes from the environment, otherwise from a config file, otherwise it is the default. The file is
\`pinakes.config.json\` in the working directory, or the one that \`PINAKES_CONFIG\` names: a JSON object in which
\`fetch.timeoutMs\` is written \`{ "fetch": { "timeoutMs": 60000 } }\`. In the environment a list is separated by commas, and an
empty variable counts as not set. An unknown setting is an error. Names that begin with \`PINAKES_TEST_\` are reserved for tests.`,
    table(['setting', 'variable', 'value', 'default', 'description'], rows),
  );
}

function valueText({ kind, choices }: Setting): string {
  return kind === 'choice' ? choices.map(inCode).join(', ') : kind;
}

/** A default that is described in words contains its own code spans. */
function defaultText(text: string): string {
  return text.includes('`') ? text : inCode(text);
}
