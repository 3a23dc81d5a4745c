// Commands that concern this machine or this process rather than the library: servers, setup, doctor, completion.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { pluralize } from '../../core/text/plural.ts';
import type { LockfileKind } from '../../core/project/read-lockfile.ts';
import type { CheckResult } from '../../platform/check-machine.ts';
import type { LoadedConfig } from '../../platform/config/load-config.ts';
import type { CliRuntime } from './cli-runtime.ts';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';
import { EXIT, inGroup } from './program-help.ts';
import { paint, type Color } from './render/paint.ts';
import { CLIENTS } from './setup/clients.table.ts';
import type { SetupResult } from './setup/setup-client.ts';
import type { SettingsHelp } from './settings-help.ts';

type SetCode = (code: number) => void;

/** Needs the flags of every command. */
export const COMPLETION = 'completion';

/** Their help names settings. */
export const COMMANDS_WITH_SETTINGS = ['worker', 'serve', 'fetch'] as const;

/** What a command of this process uses. */
export interface ProcessCommandDeps {
  readonly runtime: CliRuntime;
  readonly setCode: SetCode;
  readonly settingsHelp: SettingsHelp;
}

export function addProcessCommands(program: Command, { runtime, setCode, settingsHelp }: ProcessCommandDeps): void {
  addSetupCommand(program, runtime);
  addServerCommands(program, runtime, settingsHelp);
  addMaintenanceCommands(program, runtime, setCode);
  inGroup(program.command(COMPLETION), 'maintain')
    .summary('Print a completion script for a shell')
    .description(
      'Print a script that completes the commands and flags of pinakes.\n\nExample:\n  $ pinakes completion bash > ~/.local/share/bash-completion/completions/pinakes',
    )
    .addArgument(new Argument('<shell>', 'The shell').choices(SHELLS))
    .action((shell: Shell) => runtime.out(completionScript(program, shell)));
}

const WORKER_SETTINGS = [
  'dataDir',
  'database.url',
  'database.poolSize',
  'crawl.concurrency',
  'parse.threads',
  'log.level',
];

function addServerCommands(program: Command, runtime: CliRuntime, settingsHelp: SettingsHelp): void {
  inGroup(program.command('worker'), 'serve')
    .summary('Run a crawl worker until it is stopped')
    .description(
      'Work on every run until stopped. With PostgreSQL any number of workers can run.\n\nExample:\n  $ pinakes worker',
    )
    .option('--until-idle', 'Exit when there is nothing left to do')
    .option('--metrics-port <port>', 'Port for /metrics and /health, instead of PINAKES_WORKER_METRICS_PORT')
    .addHelpText('after', () => settingsHelp(['worker.metricsPort', ...WORKER_SETTINGS]))
    .option('--json', 'Print an error as JSON')
    .action((flags: { untilIdle?: boolean }) => runtime.runWorker(flags.untilIdle === true ? 'idle' : 'stopped'));
  inGroup(program.command('serve'), 'serve')
    .summary('Serve HTTP, MCP and the dashboard, and crawl')
    .description(
      'Serve HTTP (/api, /events, /mcp, /health, /metrics) and work on every run until stopped.\n\nExample:\n  $ pinakes serve --port 8080',
    )
    .option('--host <address>', 'Address to listen on instead of PINAKES_SERVE_HOST')
    .option('--port <port>', 'Port to listen on instead of PINAKES_SERVE_PORT; 0 picks a free one')
    .addHelpText('after', () => settingsHelp(['serve.host', 'serve.port', 'serve.allowedHosts', ...WORKER_SETTINGS]))
    .action(() => runtime.serve((url) => runtime.err(`Pinakes is listening on ${url}\n`)));
  inGroup(program.command('mcp'), 'serve')
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
    .option('--project <dir>', 'Only the packages of the project in this folder, at the versions it uses')
    .action(({ project = null }: { readonly project?: string | null }) => {
      if (runtime.prompt !== null)
        runtime.err('Waiting for an MCP client on stdin. To connect an assistant, run pinakes setup instead.\n');
      return runtime.mcp(project);
    });
}

interface SetupFlags {
  readonly dryRun?: boolean;
  readonly allowWrites?: boolean;
  readonly alwaysLoad?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
  readonly project?: string;
}

function addSetupCommand(program: Command, runtime: CliRuntime): void {
  inGroup(program.command('setup'), 'serve')
    .summary('Register Pinakes as an MCP server with an assistant')
    .description(
      `Add Pinakes to the configuration of an assistant: ${Object.keys(CLIENTS).join(', ')}. A backup of the file is kept next to it.
--undo removes the entry and keeps everything else. Run it again to change the entry: a flag that is left out is off.

Examples:
  $ pinakes setup claude-code --dry-run
  $ pinakes setup cursor
  $ pinakes setup claude-code --always-load --allow-writes
  $ pinakes setup claude-code --project .
  $ pinakes setup cursor --undo`,
    )
    .addArgument(new Argument('<client>', 'The assistant').choices(Object.keys(CLIENTS)))
    .option('--dry-run', 'Show what would be written without writing it')
    .option('--allow-writes', 'Let the assistant add, recrawl and remove sources too')
    .option('--always-load', 'Load all tools at the start instead of on demand (claude-code)')
    .option('--project <dir>', 'Limit the assistant to the packages of the project in this folder')
    .option('--undo', 'Remove the entry')
    .option('--json', 'Print the result as JSON')
    .action(async (client: string, flags: SetupFlags) => {
      const { allowWrites = false, alwaysLoad = false } = flags;
      const mode = flags.undo === true ? 'undo' : flags.dryRun === true ? 'show' : 'write';
      const machine = { platform: process.platform, home: homedir(), env: process.env };
      const server = await runtime.mcpCommand();
      const project = flags.project === undefined ? [] : ['--project', resolve(flags.project)];
      const { setupClient } = await import('./setup/setup-client.ts');
      const result = setupClient(client, mode, {
        machine,
        server: { ...server, args: [...server.args, ...project] },
        allowWrites,
        alwaysLoad,
      });
      runtime.out(flags.json === true ? `${JSON.stringify(result)}\n` : renderSetup(result));
      const { LOCKFILES } = await import('../../core/project/read-lockfile.ts');
      const lockfile = mode === 'undo' || flags.project !== undefined ? undefined : LOCKFILES.find(isHere);
      if (lockfile !== undefined && flags.json !== true)
        runtime.err(
          `This folder has a ${lockfile.file}: pinakes sync indexes the documentation of its packages at the versions in use.\n`,
        );
    });
}

function isHere({ file }: LockfileKind): boolean {
  return existsSync(file);
}

function addMaintenanceCommands(program: Command, runtime: CliRuntime, setCode: SetCode): void {
  inGroup(program.command('doctor'), 'maintain')
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
  inGroup(program.command('restore'), 'maintain')
    .summary('Restore the library from a backup')
    .description(
      'Replace the library with a file written by pinakes backup. The previous library is kept next to it, and access tokens stay those of the present library; webhooks are disabled until they are tested.\n\nExample:\n  $ pinakes restore library-backup.db',
    )
    .argument('<file>', 'The backup')
    .option('--json', 'Print the result as JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      const { previous, droppedTokens, disabledWebhooks } = await runtime.restore(resolve(file));
      const previousNote = previous === null ? '' : ` The previous library is now ${previous}.`;
      const tokenNote =
        droppedTokens.length === 0
          ? ''
          : ` Access tokens are not restored: ${droppedTokens.join(', ')}. Create new ones with pinakes tokens create.`;
      const webhookNote =
        disabledWebhooks.length === 0
          ? ''
          : ` Webhooks are disabled: ${disabledWebhooks.join(', ')}. Enable each with pinakes webhooks test NAME, or remove it.`;
      runtime.out(
        flags.json === true
          ? `${JSON.stringify({ restored: file, previous, droppedTokens, disabledWebhooks })}\n`
          : `Restored ${file}.${previousNote}${tokenNote}${webhookNote}\n`,
      );
    });
  const config = inGroup(program.command('config'), 'maintain')
    .summary('Show the settings and where they come from')
    .description('Show the settings and where they come from');
  config
    .command('print')
    .summary('Print every setting with its value and origin')
    .option('--json', 'Print as JSON')
    .action(async (flags: { json?: boolean }) =>
      runtime.out(await renderConfig(await runtime.config(), flags.json === true)),
    );
}

async function renderConfig(loaded: LoadedConfig, json: boolean): Promise<string> {
  const { originText, printConfig } = await import('../../platform/config/print-config.ts');
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
