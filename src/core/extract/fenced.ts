// Puts code into a fence that nothing inside the code can close.

export function fenced(code: string, language: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const info = language.replace(/[^\w+#.-]/g, '').slice(0, 40);
  return `${fence}${info}\n${code.endsWith('\n') ? code : `${code}\n`}${fence}`;
}
