// The command line: one command for each action, and the few that concern this process only.

import { Command, CommanderError } from 'commander';
import type { Action } from '../../actions/action.ts';
import { actions } from '../../actions/actions.ts';
import type { RunView } from '../../actions/run-view.ts';
import { PinakesError, pinakesError } from '../../core/model/errors.ts';
import type { CliHost, OpenLibrary } from './cli-host.ts';
import { commandOfAction, givenInput, nameOnCli } from './command-of-action.ts';
import { EXIT } from './exit-codes.ts';
import { renderConfig } from './render/render-config.ts';
import { renderAnswer } from './render/render-answer.ts';
import { progressLines, progressTeller } from './progress-lines.ts';
import { progressLine } from './render/render-run.ts';

export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  let code: number = EXIT.done;
  const program = new Command('pinakes')
    .description('Turns documentation into a searchable, citable library for AI agents, programs and people')
    .version(host.version)
    .exitOverride()
    .configureOutput({ writeOut: host.out, writeErr: host.err })
    .showHelpAfterError('(add --help for more)');
  for (const action of actions) {
    const command = commandOfAction(action).option('--json', 'Print the answer as JSON');
    if (action.name === 'add_source') command.option('--wait', 'Stay until the run has ended, showing its progress');
    command.action(async (...given: unknown[]) => {
      const flags = command.opts<Record<string, unknown>>();
      code = await perform(action, givenInput(action, given, flags), flags, host);
    });
    program.addCommand(command.copyInheritedSettings(program));
  }
  addProcessCommands(program, host);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return failure(error, host, argv.includes('--json'));
  }
}

function addProcessCommands(program: Command, host: CliHost): void {
  program
    .command('worker')
    .summary('Crawl what was added, until stopped')
    .description(
      'Works on every run, until it is stopped. On PostgreSQL any number may work at once.\n\nExample:\n  $ pinakes worker',
    )
    .action(() => host.work());
  const config = program
    .command('config')
    .summary('Settings and where they come from')
    .description('Settings and where they come from');
  config
    .command('print')
    .summary('Print every setting with its value and origin')
    .option('--json', 'Print as JSON')
    .action(async (flags: { json?: boolean }) => host.out(renderConfig(await host.config(), flags.json === true)));
}

async function perform(
  action: Action,
  given: Record<string, unknown>,
  flags: Readonly<Record<string, unknown>>,
  host: CliHost,
): Promise<number> {
  const parsed = action.input.safeParse(given);
  if (!parsed.success)
    throw pinakesError('input.invalid', {
      why: parsed.error.issues.map(({ path, message }) => `${nameOnCli(action, path)}: ${message}`).join('; '),
    });
  const folder = folderToExport(action, parsed.data);
  const library = await host.open(folder === null ? action.effect : 'write');
  try {
    const input = folder === null ? parsed.data : { ...parsed.data, source: await ingest(folder, library, host) };
    const answer = (await library.call(action.name, input, progressTeller(host))) as { run: number; local?: boolean };
    // Other processes may not have local files, so this one reads them.
    if (flags['wait'] !== true && answer.local !== true) return print(action, answer, flags, host);
    return print(RUN, await follow(library, answer.run, host), flags, host);
  } finally {
    await library.close();
  }
}

const RUN = { name: 'run' };

/** `export ./docs` adds the folder, or brings it up to date, and exports it then. */
function folderToExport(action: Action, input: Readonly<Record<string, unknown>>): string | null {
  const source = action.name === 'export_source' ? String(input['source']) : '';
  return /^(?:\.{0,2}[/\\]|\.{1,2}$|[a-z]:[/\\])/i.test(source) ? source : null;
}

async function ingest(folder: string, library: OpenLibrary, host: CliHost): Promise<string> {
  const added = (await library.call('add_source', { url: folder, version: '' })) as { source: string; run: number };
  const { state, reason } = await follow(library, added.run, host);
  if (state === 'failed') throw pinakesError('local.unreadable', { path: folder, why: reason ?? state });
  return added.source;
}

function print(
  { name }: Pick<Action, 'name'>,
  answer: unknown,
  flags: Readonly<Record<string, unknown>>,
  host: CliHost,
): number {
  host.out(flags['json'] === true ? `${JSON.stringify(answer)}\n` : renderAnswer(name, answer));
  const { violations = [], state = 'completed' } = answer as { violations?: readonly unknown[]; state?: string };
  return violations.length > 0 || state !== 'completed' ? EXIT.failed : EXIT.done;
}

/** Progress goes to stderr: a line that is rewritten on a terminal, one JSON object a change elsewhere. */
async function follow(library: OpenLibrary, run: number, host: CliHost): Promise<RunView> {
  const show = progressLines(host);
  const ended = await library.follow(run, (view) => show(progressLine(view), { progress: view.counts, run }));
  if (host.isTerminal) host.err('\r\u001b[2K');
  return ended;
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
      : `${message}.\n${nextStep === null ? '' : `${nextStep}.\n`}`,
  );
  return USAGE_CODES.has(code) || code.startsWith('config.') ? EXIT.usage : EXIT.failed;
}
