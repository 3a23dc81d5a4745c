// The programs of docs/typescript.md in an empty project that has the package installed: compiled, then run.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSnippets } from '../docs/read-snippets.ts';
import { PROJECT, readProject } from './project-files.ts';

const PAGE = 'docs/typescript.md';

/** Their code by the title of their section. */
export function documentedPrograms(): ReadonlyMap<string, string> {
  const sections = readProject(PAGE).split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const [program] = readSnippets(PAGE, section).filter(({ language }) => language === 'ts');
      return program === undefined ? [] : [[section.split('\n')[0] ?? '', program.text] as const];
    }),
  );
}

export type ModuleResolution = 'node16' | 'nodenext' | 'bundler';

/** Returns what the compiler says; empty if nothing is wrong. Types of packages are checked too. */
export function compileProgram(home: string, name: string, text: string, resolution: ModuleResolution): string {
  const folder = join(home, `${name}-${resolution}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), text);
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'esnext',
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules/@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  try {
    execFileSync(join(PROJECT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

export interface ProgramRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that keeps a handle open does not end, and fails by its time limit. */
export async function runProgram(home: string, text: string): Promise<ProgramRun> {
  const file = join(home, 'program.ts');
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(file, text);
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { cwd: home, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

export interface Addresses {
  readonly site: string;
  readonly server: string;
}

/** The program with the addresses of this test, and with a library that may reach them. */
export function withAddresses(text: string, { site, server }: Addresses): string {
  const settings = `settings: { fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] }, crawl: { startDelayMs: 0 } }`;
  return text
    .replaceAll('https://docs.example.dev/', site)
    .replace("server: 'https://pinakes.corp.example', token: 'TOKEN'", `server: '${server}'`)
    .replace("dataDir: './library'", `dataDir: './library', ${settings}`);
}
