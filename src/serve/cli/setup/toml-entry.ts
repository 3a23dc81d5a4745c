// Puts one table into a TOML file of somebody else: in the place of the one that was there, or at the end.

/** `text` with `[key.name]` that has these fields. */
export function withTomlEntry(
  text: string,
  [key, name]: readonly [string, string],
  value: Readonly<Record<string, unknown>>,
): string {
  const head = `[${key}.${name}]`;
  const { env, ...fields } = value;
  const lines = [head, ...Object.entries(fields).map(([field, one]) => `${field} = ${JSON.stringify(one)}`)];
  if (env !== undefined) lines.push(`env = { ${inline(env as Readonly<Record<string, string>>)} }`);
  const table = `${lines.join('\n')}\n`;
  const old = text.split('\n');
  const first = old.findIndex((line) => line.trim() === head);
  if (first === -1) return text.trim() === '' ? table : `${text.trimEnd()}\n\n${table}`;
  const next = old.findIndex((line, i) => i > first && line.trim().startsWith('['));
  const rest = next === -1 ? '' : `\n${old.slice(next).join('\n')}`;
  return (
    old
      .slice(0, first)
      .map((line) => `${line}\n`)
      .join('') +
    table +
    rest
  );
}

function inline(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(', ');
}
