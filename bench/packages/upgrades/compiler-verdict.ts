// What the TypeScript compiler says of an upgrade: which reported removals are true, and which lines of a program it rejects.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const compiler = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
/** With these the compiler complains of what an error elsewhere has left without a type. */
const CONSEQUENCES = new Set(['TS7006', 'TS7031', 'TS7005', 'TS18046']);

interface CompilerError {
  readonly line: number;
  readonly code: string;
}

/** The errors in a file of a folder that has the package in its node_modules. */
function errorsIn(folder: string, file: string, text: string): readonly CompilerError[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'esnext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    jsx: 'react-jsx',
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = spawnSync(compiler, ['-p', 'tsconfig.json', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return [...stdout.matchAll(/^([^\s(]+)\((\d+),\d+\): error (TS\d+)/gm)]
    .filter(([, path]) => path === file)
    .map(([, , line, code = '']) => ({ line: Number(line), code }));
}

export interface RejectedLines {
  readonly lines: ReadonlySet<number>;
  /** Lines with nothing but consequences of other errors. */
  readonly consequences: ReadonlySet<number>;
}

const MAX_ROUNDS = 6;

/**
 * An unknown property hides the next one of the same object, so its line is emptied, and the program is compiled again until no further
 * line is rejected.
 */
export function rejectedLines(folder: string, file: string, program: string): RejectedLines {
  const lines = new Set<number>();
  const consequences = new Set<number>();
  const text = program.split('\n');
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const errors = errorsIn(folder, file, text.join('\n'));
    const hiding = errors.filter(({ code, line }) => HIDING.has(code) && isWholeProperty(text[line - 1] ?? ''));
    for (const { line, code } of errors) (CONSEQUENCES.has(code) ? consequences : lines).add(line);
    if (hiding.length === 0) break;
    for (const { line } of hiding) text[line - 1] = '';
  }
  return { lines, consequences: new Set([...consequences].filter((line) => !lines.has(line))) };
}

const HIDING = new Set(['TS2353', 'TS2561']);

function isWholeProperty(line: string): boolean {
  return /^\s*[\w$]+: .*,$/.test(line) && line.split(/[{[(]/).length === line.split(/[}\])]/).length;
}

export interface ReportedRemoval {
  readonly symbol: string;
  readonly module: string | null;
  readonly signature: string;
}

export interface RemovalVerdict {
  readonly symbol: string;
  /** Null if the older version does not have it by any spelling that is tried. */
  readonly isTrue: boolean | null;
}

const MAX_TYPE_ARGUMENTS = 7;

/** A removal is true if the older version has the symbol, by some spelling, and the newer version by none. */
export function checkRemovals(
  folders: readonly [string, string],
  removals: readonly ReportedRemoval[],
): RemovalVerdict[] {
  const spellings = removals.map(spellingsOf);
  const program = spellings.flat();
  const file = 'removals.ts';
  const [before, after] = folders.map((folder) => {
    const rejected = new Set(errorsIn(folder, file, `${program.join('\n')}\nexport {};\n`).map(({ line }) => line));
    return (line: number): boolean => !rejected.has(line);
  });
  let line = 1;
  return removals.map(({ symbol }, nth) => {
    const own = (spellings[nth] ?? []).map((_, at) => line + at);
    line += own.length;
    const had = own.some((one) => before?.(one) === true);
    return { symbol, isTrue: had ? !own.some((one) => after?.(one) === true) : null };
  });
}

/** Each spelling is one line that compiles if the module has the symbol. */
function spellingsOf({ symbol, module, signature }: ReportedRemoval, nth: number): readonly string[] {
  if (module === null) return [];
  if (symbol === module) return symbol.endsWith('/*') ? [] : [`import type * as m${nth} from '${module}';`];
  const parts = symbol.split('.');
  const keys = parts.map((part) => `['${part.replaceAll("'", '')}']`);
  const value = `typeof import('${module}')${keys.join('')}`;
  const owner = parts.slice(0, -1).join('.');
  const types = Array.from({ length: MAX_TYPE_ARGUMENTS }, (_, count) => {
    const typeArguments = count === 0 ? '' : `<${Array.from({ length: count }, () => 'any').join(', ')}>`;
    const member = NAME.test(owner) ? [`import('${module}').${owner}${typeArguments}${keys.at(-1) ?? ''}`] : [];
    return NAME.test(symbol) ? [`import('${module}').${symbol}${typeArguments}`, ...member] : member;
  }).flat();
  const isStatic = signature.startsWith('static ');
  return [value, ...(isStatic ? [] : types)].map((type, at) => `type R${nth}_${at} = ${type};`);
}

/** Anything else would be a syntax error, with which the compiler reports no other. */
const NAME = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

export function programOf(name: string): { readonly file: string; readonly text: string } {
  const isJsx = name === 'next';
  const path = join(import.meta.dirname, 'projects', `${name}.ts${isJsx ? 'x' : ''}.txt`);
  return { file: isJsx ? 'app.tsx' : 'app.ts', text: readFileSync(path, 'utf8') };
}
