// Commands that concern this machine or this process rather than the library: servers, setup, doctor, completion.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { pluralize } from '../../core/model/plural.ts';
import type { CheckResult } from '../../platform/check-machine.ts';
import type { LoadedConfig } from '../../platform/config/load-config.ts';
import { originText, printConfig } from '../../platform/config/print-config.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';
import { addLoadCommand } from './load-command.ts';
import { EXIT, settingsHelp } from './program-help.ts';
import { paint, type Color } from './render/paint.ts';
import { addSinkCommands } from './sink-commands.ts';
import { CLIENTS } from './setup/clients.table.ts';
import { setupClient, type SetupResult } from './setup/setup-client.ts';

type SetCode = (code: number) => void;

/** Needs the flags of every command. */
export const COMPLETION = 'completion';

export function addProcessCommands(program: Command, runtime: CliRuntime, setCode: SetCode): void {
  addServerCommands(program, runtime);
  addSetupCommand(program, runtime);
  addLoadCommand(program, runtime, setCode);
  addMaintenanceCommands(program, runtime, setCode);
  addSinkCommands(program, runtime);
  program
    .command(COMPLETION)
    .summary('Print a completion script for a shell')
    .description(
      'Print a script that completes the commands and flags of pinakes.\n\nExample:\n  $ pinakes completion bash > ~/.local/share/bash-completion/completions/pinakes',
    )
    .addArgument(new Argument('<shell>', 'The shell').choices(SHELLS))
    .action((shell: Shell) => runtime.out(completionScript(program, shell)));
}

const WORKER_SETTINGS = [
  'dataDir',
  'databaseUrl',
  'databasePoolSize',
  'crawl.concurrency',
  'parse.threads',
  'log.level',
];

function addServerCommands(program: Command, runtime: CliRuntime): void {
  program
    .command('worker')
    .summary('Run a crawl worker until it is stopped')
    .description(
      'Work on every run until stopped. With PostgreSQL any number of workers can run.\n\nExample:\n  $ pinakes worker',
    )
    .option('--until-idle', 'Exit when there is nothing left to do')
    .option('--metrics-port <port>', 'Port for /metrics and /health, instead of PINAKES_SERVE_METRICS_PORT')
    .addHelpText('after', () => settingsHelp(['serve.metricsPort', ...WORKER_SETTINGS]))
    .option('--json', 'Print an error as JSON')
    .action((flags: { untilIdle?: boolean }) => runtime.runWorker(flags.untilIdle === true ? 'idle' : 'stopped'));
  program
    .command('serve')
    .summary('Serve HTTP, MCP and the dashboard, and crawl')
    .description(
      'Serve HTTP (/api, /events, /mcp, /health, /metrics) and work on every run until stopped.\n\nExample:\n  $ pinakes serve --port 8080',
    )
    .option('--host <address>', 'Address to listen on instead of PINAKES_SERVE_HOST')
    .option('--port <port>', 'Port to listen on instead of PINAKES_SERVE_PORT; 0 picks a free one')
    .addHelpText('after', () => settingsHelp(['serve.host', 'serve.port', 'serve.allowedHosts', ...WORKER_SETTINGS]))
    .action(() => runtime.serve((url) => runtime.err(`Pinakes is listening on ${url}\n`)));
  program
    .command('mcp')
    .summary('Serve one MCP client on stdin and stdout')
    .description(
      `Serve one MCP client on stdin and stdout, and exit when it disconnects. Assistants start it themselves:

  { "mcpServers": { "pinakes": { "command": "npx", "args": ["-y", "--prefix=HOME", "pinakes", "mcp"] } } }

where HOME is your home folder: without it, npx obeys the files of the folder that is open.

pinakes setup CLIENT writes that for you. With --server the library is on another machine; its token is read from
PINAKES_TOKEN.

Example:
  $ PINAKES_TOKEN=... pinakes mcp --server https://docs.corp.example`,
    )
    .action(() => {
      if (runtime.ask !== null)
        runtime.err('Waiting for an MCP client on stdin. To connect an assistant, run pinakes setup instead.\n');
      return runtime.mcp();
    });
}

interface SetupFlags {
  readonly dryRun?: boolean;
  readonly allowChanges?: boolean;
  readonly alwaysLoad?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

function addSetupCommand(program: Command, runtime: CliRuntime): void {
  program
    .command('setup')
    .summary('Register Pinakes as an MCP server with an assistant')
    .description(
      `Add Pinakes to the configuration of an assistant: ${Object.keys(CLIENTS).join(', ')}. A backup of the file is kept next to it.
--undo removes the entry and keeps everything else. Run it again to change the entry: a flag that is left out is off.

Examples:
  $ pinakes setup claude-code --dry-run
  $ pinakes setup cursor
  $ pinakes setup claude-code --always-load --allow-changes
  $ pinakes setup cursor --undo`,
    )
    .addArgument(new Argument('<client>', 'The assistant').choices(Object.keys(CLIENTS)))
    .option('--dry-run', 'Show what would be written without writing it')
    .option('--allow-changes', 'Let the assistant add, recrawl and remove sources too')
    .option('--always-load', 'Load all tools at the start instead of on demand (claude-code)')
    .option('--undo', 'Remove the entry again')
    .option('--json', 'Print the result as JSON')
    .action(async (client: string, flags: SetupFlags) => {
      const { allowChanges = false, alwaysLoad = false } = flags;
      const mode = flags.undo === true ? 'undo' : flags.dryRun === true ? 'show' : 'write';
      const machine = { platform: process.platform, home: homedir(), env: process.env };
      const result = setupClient(client, mode, {
        machine,
        server: await runtime.mcpCommand(),
        allowChanges,
        alwaysLoad,
      });
      runtime.out(flags.json === true ? `${JSON.stringify(result)}\n` : renderSetup(result));
    });
}

function addMaintenanceCommands(program: Command, runtime: CliRuntime, setCode: SetCode): void {
  program
    .command('doctor')
    .summary('Check this machine for missing requirements')
    .description(
      'Check Node, the data directory, its disk space, the database, its owner and optional packages; with --server, check that server instead.\n\nExamples:\n  $ pinakes doctor\n  $ pinakes doctor --server https://docs.corp.example',
    )
    .option('--json', 'Print the checks as JSON')
    .action(async (flags: { json?: boolean }) => {
      const checks = await runtime.doctor();
      runtime.out(flags.json === true ? `${JSON.stringify({ checks })}\n` : renderChecks(checks, runtime.colors));
      if (checks.some(({ state }) => state === 'failed')) setCode(EXIT.failed);
    });
  program
    .command('restore')
    .summary('Restore the library from a backup')
    .description(
      'Replace the library with a file written by pinakes backup. The previous library is kept next to it, and access tokens stay those of the present library.\n\nExample:\n  $ pinakes restore library-backup.db',
    )
    .argument('<file>', 'The backup')
    .option('--json', 'Print the result as JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      const { previous, droppedTokens } = await runtime.restore(resolve(file));
      const previousNote = previous === null ? '' : ` The previous library is now ${previous}.`;
      const tokenNote =
        droppedTokens.length === 0
          ? ''
          : ` Access tokens are not restored: ${droppedTokens.join(', ')}. Create new ones with pinakes token create.`;
      runtime.out(
        flags.json === true
          ? `${JSON.stringify({ restored: file, previous, droppedTokens })}\n`
          : `Restored ${file}.${previousNote}${tokenNote}\n`,
      );
    });
  const config = program
    .command('config')
    .summary('Show the settings and where they come from')
    .description('Show the settings and where they come from');
  config
    .command('print')
    .summary('Print every setting with its value and origin')
    .option('--json', 'Print as JSON')
    .action(async (flags: { json?: boolean }) =>
      runtime.out(renderConfig(await runtime.config(), flags.json === true)),
    );
}

function renderConfig(loaded: LoadedConfig, json: boolean): string {
  const settings = printConfig(loaded);
  if (json) return `${JSON.stringify(settings)}\n`;
  const width = Math.max(...settings.map(({ setting }) => setting.length));
  const envWidth = Math.max(...settings.map(({ env }) => env.length));
  return settings
    .map(
      ({ setting, env, value, origin }) =>
        `${setting.padEnd(width)}  ${env.padEnd(envWidth)}  ${value === null ? '(not set)' : JSON.stringify(value)}  ${originText(origin)}\n`,
    )
    .join('');
}

const MARKS: Readonly<Record<CheckResult['state'], readonly [string, Color]>> = {
  ok: ['ok', 'green'],
  missing: ['--', 'yellow'],
  failed: ['!!', 'red'],
};

function renderChecks(checks: readonly CheckResult[], colors: boolean): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, state, detail, hint }) => {
    const [mark, colour] = MARKS[state];
    const advice = hint === null ? '' : `\n   ${' '.repeat(width)}  ${hint}`;
    return `${paint(mark, colour, colors)} ${name.padEnd(width)}  ${detail}${advice}`;
  });
  const failed = checks.filter(({ state }) => state === 'failed').length;
  const verdict = failed === 0 ? 'All checks passed.' : `${pluralize(failed, 'check')} failed.`;
  return `${lines.join('\n')}\n${verdict}\n`;
}

function renderSetup({ client, file, text, outcome, backup, hint }: SetupResult): string {
  switch (outcome) {
    case 'shown':
      return `${file} would contain:\n\n${text}`;
    case 'written':
      return `Registered Pinakes with ${client}: ${file}\n${backup === null ? '' : `Backup: ${backup} (--undo removes the entry)\n`}${hint}.\n`;
    case 'undone':
      return `Removed Pinakes from ${file}.\n`;
    case 'unchanged':
      return `Nothing to change in ${file}.\n`;
  }
}
