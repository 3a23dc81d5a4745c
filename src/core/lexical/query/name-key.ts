// The form in which names of sections and identifiers of queries are compared.

/** The same for `USE_TZ`, `use-tz` and `useTz()`. */
export function nameKey(name: string): string {
  return withoutArguments(name.toLowerCase()).replaceAll(/[\s_`-]+/g, '');
}

/** `fs.readFile` of `fs.readFile(path, callback)`. */
export function withoutArguments(name: string): string {
  const at = name.indexOf('(');
  return (at > 0 ? name.slice(0, at) : name).trim();
}
