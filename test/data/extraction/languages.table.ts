// Names of programming languages on pages and fences, and which of them are synonyms.

/** Names that mean no language. */
const NO_LANGUAGE = new Set([
  '',
  'default',
  'none',
  'text',
  'txt',
  'plain',
  'plaintext',
  'nohighlight',
  'no-highlight',
  'literal-block',
]);

const SAME: ReadonlyArray<readonly string[]> = [
  ['javascript', 'js', 'mjs', 'cjs', 'node'],
  ['typescript', 'ts', 'mts', 'cts'],
  ['python', 'py', 'python3', 'py3'],
  ['pycon', 'pycon3', 'python-console', 'doctest'],
  ['ipython', 'ipython3', 'ipy'],
  ['bash', 'sh', 'shell', 'zsh'],
  ['console', 'shell-session', 'shellsession', 'sh-session', 'bash-session', 'terminal'],
  ['cpp', 'c++', 'cxx'],
  ['csharp', 'cs', 'c#'],
  ['yaml', 'yml'],
  ['markdown', 'md'],
  ['rust', 'rs'],
  ['erlang', 'erl'],
  ['html', 'xhtml'],
  ['docker', 'dockerfile'],
  ['make', 'makefile'],
  ['batch', 'bat', 'cmd'],
  ['powershell', 'ps1', 'pwsh'],
  ['objective-c', 'objc', 'objectivec'],
  ['assembly', 'asm'],
];
const canonical = new Map(SAME.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)));

/** The canonical name; null if the name means no language. */
export function languageName(name: string | null | undefined): string | null {
  const lower = (name ?? '').trim().toLowerCase();
  return NO_LANGUAGE.has(lower) ? null : (canonical.get(lower) ?? lower);
}
