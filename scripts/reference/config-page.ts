// docs/reference/config.md, from the settings.

import { describeSettings, type Setting } from '../../src/platform/config/settings.ts';
import { inCode, page, table } from './markdown.ts';

export function configPage(): string {
  const rows = describeSettings().map((setting) => [
    inCode(setting.path),
    inCode(setting.env),
    valueText(setting),
    setting.defaultText ? defaultText(setting.defaultText) : 'not set',
    setting.description + (setting.secret ? '. Secret: masked when shown' : ''),
  ]);
  return page(
    'Settings',
    `A value comes from the environment, else from a config file, else it is the default. The file is
\`pinakes.config.json\` in the working directory, or the one that \`PINAKES_CONFIG\` names: a JSON object in which
\`fetch.timeoutMs\` is written \`{ "fetch": { "timeoutMs": 60000 } }\`. In the environment a list is given with commas, and an
empty variable counts as not set. An unknown setting is refused. Names that begin with \`PINAKES_TEST_\` are left to tests.`,
    table(['setting', 'variable', 'value', 'default', 'what it does'], rows),
  );
}

function valueText({ kind, choices }: Setting): string {
  return kind === 'choice' ? choices.map(inCode).join(', ') : kind;
}

/** A default that is described in words has its own marks. */
function defaultText(text: string): string {
  return text.includes('`') ? text : inCode(text);
}
