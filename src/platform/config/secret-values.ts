// The secrets that the configuration holds, for the redactor: no log line may carry one of them.

import type { Config } from './schema.ts';
import { describeSettings, settingValue } from './settings.ts';

export function secretValues(config: Config): readonly string[] {
  const values = describeSettings()
    .filter(({ secret }) => secret)
    .map(({ path }) => settingValue(config, path))
    .filter((value) => typeof value === 'string');
  return values.flatMap((value) => [value, ...passwordsOf(value)]);
}

/** A URL's password also turns up alone, as written and decoded: drivers take the URL apart. */
function passwordsOf(text: string): string[] {
  const url = URL.parse(text);
  const written = [url?.password, url?.searchParams.get('password')].filter((password) => !!password) as string[];
  return written.flatMap((password) => [password, decoded(password)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
