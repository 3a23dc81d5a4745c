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
  const waits = flags['wait'] === true;
  const library = await host.open(action.effect);
  try {
    const answer = await library.call(action.name, parsed.data);
    if (!waits) return print(action, answer, flags, host);
    return await follow(library, (answer as { run: number }).run, flags, host);
  } finally {
    await library.close();
  }
}

function print(action: Action, answer: unknown, flags: Readonly<Record<string, unknown>>, host: CliHost): number {
  host.out(flags['json'] === true ? `${JSON.stringify(answer)}\n` : renderAnswer(action.name, answer));
  const violations = (answer as { violations?: readonly unknown[] }).violations;
  return violations !== undefined && violations.length > 0 ? EXIT.failed : EXIT.done;
}

/** Progress goes to stderr: a line that is rewritten on a terminal, one JSON object a change elsewhere. */
async function follow(
  library: OpenLibrary,
  run: number,
  flags: Readonly<Record<string, unknown>>,
  host: CliHost,
): Promise<number> {
  let shown = '';
  const tell = (view: RunView): void => {
    const line = host.isTerminal
      ? `\r\u001b[2K${progressLine(view)}`
      : `${JSON.stringify({ progress: view.counts, run })}\n`;
    if (line !== shown) host.err(line);
    shown = line;
  };
  const ended = await library.follow(run, tell);
  if (host.isTerminal) host.err('\r\u001b[2K');
  host.out(flags['json'] === true ? `${JSON.stringify(ended)}\n` : renderAnswer('run', ended));
  return ended.state === 'completed' ? EXIT.done : EXIT.failed;
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
