// The command line: one command for each action, and the few that concern this process only.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Action, Effect } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import type { CliHost, OpenLibrary } from './cli-runtime.ts';
import { commandOfAction, doorsOf, givenInput, nameOnCli } from './action-command.ts';
import { EXIT } from './exit-codes.ts';
import { followRun } from './follow-run.ts';
import { addProcessCommands } from './process-commands.ts';
import { describeProgram, flaggedSettings } from './program-help.ts';
import { paint } from './render/paint.ts';
import { plainIssue } from './plain-issue.ts';
import { progressTeller } from './progress-lines.ts';

export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  let code: number = EXIT.done;
  const program = createProgram(host, (ended) => (code = ended));
  // Flags of the program are read behind a command too, where `--version 3.2` means the documentation's own.
  if (!argv.some((word) => !word.startsWith('-'))) program.version(host.version, '-V, --version', 'Print the version');
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return failure(error, host, argv.includes('--json'));
  }
}

/** Every command with its flags, before anything is asked; the reference pages are written from it too. */
export function createProgram(host: CliHost, setCode: (code: number) => void): Command {
  const program = describeProgram(new Command('pinakes'), host);
  program.hook('preAction', () => host.given(flaggedSettings(program)));
  for (const action of actions) {
    for (const door of doorsOf(action)) {
      const command = commandOfAction(action, door).option('--json', 'Print the answer as JSON');
      if (WAITABLE.has(door.command)) command.option('--wait', 'Stay until the run has ended, showing its progress');
      command.action(async (...args: unknown[]) => {
        const flags = command.opts<Record<string, unknown>>();
        const given = givenInput(action, door, args, flags);
        setCode(await perform({ action, given, flags, nameOf: (path) => nameOnCli(door, path) }, host));
      });
      groupOf(program, door.command).addCommand(command.copyInheritedSettings(program));
    }
  }
  addProcessCommands(program, host, setCode);
  return program;
}

/** What the words before the last one gather. */
const GROUPS: Readonly<Record<string, string>> = {
  model: 'Models that turn texts into vectors',
  sources: 'Definitions of sources, as a file to keep in git',
  token: 'Tokens for the HTTP server',
};

/** `token create` is the command `create` of the group `token`. */
function groupOf(program: Command, words: string): Command {
  const [first = '', second] = words.split(' ');
  if (second === undefined) return program;
  const there = program.commands.find((command) => command.name() === first);
  return (
    there ??
    program
      .command(first)
      .summary(GROUPS[first] ?? '')
      .description(GROUPS[first] ?? '')
  );
}

interface Wanted {
  readonly action: Action;
  readonly given: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly nameOf: (path: readonly PropertyKey[]) => string;
}

async function perform({ action, given, flags, nameOf }: Wanted, host: CliHost): Promise<number> {
  const parsed = action.input.safeParse(given, { reportInput: true });
  if (!parsed.success)
    throw pinakesError('input.invalid', {
      why: parsed.error.issues.map((issue) => `${nameOf(issue.path)}: ${plainIssue(issue)}`).join('; '),
    });
  await action.check?.(parsed.data, existsSync);
  const folder = folderToExport(action, parsed.data);
  const input = folder === null ? parsed.data : { ...parsed.data, source: await ingest(folder, host) };
  return withLibrary(host, action.effect, async (library) => {
    const answer = (await library.call(action.name, input, { tell: progressTeller(host) })) as {
      run: number;
      local?: boolean;
    };
    // Local content is read at once: whoever adds a folder wants to search it.
    if (flags['wait'] !== true && answer.local !== true) return print(action, answer, flags, host);
    return print(RUN, await followRun(library, answer.run, host), flags, host);
  });
}

async function withLibrary<T>(host: CliHost, effect: Effect, use: (library: OpenLibrary) => Promise<T>): Promise<T> {
  const library = await host.open(effect);
  try {
    return await use(library);
  } finally {
    await library.close();
  }
}

const RUN = { name: 'run' };

/** Commands that start a run, or let one go on. */
const WAITABLE: ReadonlySet<string> = new Set(['add', 'recrawl', 'resume']);

/** `export ./docs` adds the folder, or brings it up to date, and exports it then. */
function folderToExport(action: Action, input: Readonly<Record<string, unknown>>): string | null {
  const source = action.name === 'export_source' ? String(input['source']) : '';
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(source) ? source : null;
}

function ingest(folder: string, host: CliHost): Promise<string> {
  return withLibrary(host, 'write', async (library) => {
    const url = resolve(folder);
    const added = (await library.call('add_source', { url, version: '' })) as { source: string; run: number };
    const { state, reason } = await followRun(library, added.run, host);
    if (state === 'failed') throw pinakesError('local.unreadable', { path: folder, why: reason ?? state });
    return added.source;
  });
}

async function print(
  { name }: Pick<Action, 'name'>,
  answer: unknown,
  flags: Readonly<Record<string, unknown>>,
  host: CliHost,
): Promise<number> {
  host.out(flags['json'] === true ? `${JSON.stringify(answer)}\n` : await rendered(name, answer));
  return isSuccess(name, answer as { violations?: readonly unknown[]; state?: string }) ? EXIT.done : EXIT.failed;
}

/** Late: help and JSON need none of it. */
async function rendered(name: string, answer: unknown): Promise<string> {
  const { renderAnswer } = await import('./render/render-answer.ts');
  return renderAnswer(name, answer);
}

function isSuccess(
  action: string,
  { violations = [], state = '' }: { violations?: readonly unknown[]; state?: string },
): boolean {
  return violations.length === 0 && (action !== RUN.name || state === 'completed');
}

/** What the user wrote cannot be meant, whatever the library holds. */
const USAGE_CODES: ReadonlySet<string> = new Set(['input.invalid', 'pattern.invalid', 'url.invalid']);

function failure(error: unknown, host: CliHost, json: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof PinakesError)) throw error;
  const { code, message, nextStep } = error;
  host.err(
    json
      ? `${JSON.stringify({ error: { code, message, nextStep } })}\n`
      : `${paint(`${message}.`, 'red', host.isTerminal && host.colours)}\n${nextStep === null ? '' : `${nextStep}.\n`}`,
  );
  return USAGE_CODES.has(code) || code.startsWith('config.') ? EXIT.usage : EXIT.failed;
}
