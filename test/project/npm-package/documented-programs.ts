// The programs of docs/typescript.md and of guides in an empty project that has the package installed: compiled, then run.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSnippets } from '../../support/read-snippets.ts';
import { PROJECT, readProject } from '../../support/project-files.ts';

const PAGE = 'docs/typescript.md';

/** Their code by the title of their section, or of the page. */
export function documentedPrograms(page = PAGE): ReadonlyMap<string, string> {
  const sections = readProject(page).split(/^##? /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const [program] = readSnippets(page, section).filter(({ language }) => language === 'ts');
      return program === undefined ? [] : [[section.split('\n')[0] ?? '', program.text] as const];
    }),
  );
}

export type ModuleResolution = 'node16' | 'nodenext' | 'bundler';

export interface CompileOptions {
  readonly resolution: ModuleResolution;
  /** Whether the types of packages are not checked. */
  readonly trustsPackages?: boolean;
}

/** Returns what the compiler says; empty if nothing is wrong. */
export function compilePrograms(
  home: string,
  name: string,
  texts: readonly string[],
  { resolution, trustsPackages = false }: CompileOptions,
): string {
  const folder = join(home, `${name}-${resolution}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const files = texts.map((text, i) => {
    writeFileSync(join(folder, `program-${i}.ts`), text);
    return `program-${i}.ts`;
  });
  const compilerOptions = {
    strict: true,
    skipLibCheck: trustsPackages,
    noEmit: true,
    target: 'esnext',
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: [join(PROJECT, 'node_modules/@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    // Several threads would check the global types once each.
    const args = ['-p', folder, '--singleThreaded'];
    execFileSync(join(PROJECT, 'node_modules/.bin/tsc'), args, { encoding: 'utf8', stdio: 'pipe' });
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
export async function runProgram(
  home: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
  main = 'program.ts',
): Promise<ProgramRun> {
  const file = join(home, main);
  for (const [name, other] of Object.entries(others)) writeFileSync(join(home, name), other);
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(home, 'program.ts'), text);
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
  const fetch = "fetch: { allowCidrs: ['127.0.0.0/8'], allowPorts: ['1024-65535'] }";
  const settings = `settings: { ${fetch}, crawl: { startDelayMs: 0 } }`;
  return text
    .replaceAll('https://docs.example.dev/', site)
    .replace("server: 'https://pinakes.corp.example', token: 'TOKEN'", `server: '${server}'`)
    .replace("dataDir: './library'", `dataDir: './library', ${settings}`)
    .replace('maxConcurrentRequests: 5', `maxConcurrentRequests: 5, ${fetch}`)
    .replace('new PinakesReader()', `new PinakesReader({ ${fetch} })`)
    .replace(/(?<=new PinakesLoader\(\[[^\]]*\])/, `, { ${fetch} }`);
}
