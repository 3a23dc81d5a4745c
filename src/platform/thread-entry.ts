// Where the file of a thread lies. The compiler rewrites the extension of imports but not of URLs: the thread has the
// extension of the file that starts it.

/** `name` has no extension and lies beside `from`, which is `import.meta.url`. */
export function threadEntry(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
