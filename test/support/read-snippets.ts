// Finds what a page tells people to type: fenced blocks of shell, and code in a sentence that begins with a program's name.

export interface Snippet {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

export interface ShellCall {
  readonly page: string;
  readonly program: string;
  readonly words: readonly string[];
  readonly line: string;
}

const INLINE = /^(?:npx pinakes [a-z-]|pinakes [a-z-]|npm run|node (?:scripts|bench|test)\/)/;

export function readSnippets(page: string, markdown: string): Snippet[] {
  const fenced: Snippet[] = [];
  const prose = markdown.replaceAll(
    /^(`{3,}|~{3,})(\w*)\n([\s\S]*?)^\1$/gm,
    (_, _mark, language: string, text: string) => {
      fenced.push({ page, language, text });
      return '';
    },
  );
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, text = '']) => text)
    .filter((text) => INLINE.test(text))
    .map((text) => ({ page, language: 'sh', text }));
  return [...fenced, ...inline];
}

/** One call per command of a line, without leading variables, comments and redirections. */
export function shellCalls({ page, language, text }: Snippet): ShellCall[] {
  if (language !== 'sh' && language !== '') return [];
  return text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => line.split(/&&|\|\|?|;(?=\s)/))
    .flatMap((line) => {
      const words = wordsOf(line);
      const start = words.findIndex((word) => !/^(?:[A-Z][A-Z0-9_]*=|export$|npx$|-y$|\$$)/.test(word));
      const [program = '', ...rest] = start < 0 ? [] : words.slice(start);
      if (!['pinakes', 'npm', 'node'].includes(program)) return [];
      return [{ page, program, words: rest, line: line.trim() }];
    });
}

/** Optional parts in brackets are removed, placeholders are words. */
function wordsOf(line: string): string[] {
  const typed = line
    .replace(/\s#\s.*$/, '')
    .replace(/\s>\s.*$/, '')
    .replaceAll(/\s\[[\w ]+\]/g, '');
  return [...typed.matchAll(/"[^"]*"|'[^']*'|[^\s"']+(?:"[^"]*")?/g)].map(([word]) =>
    word.replaceAll(/^["']|["']$/g, ''),
  );
}
