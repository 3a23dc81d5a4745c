// Commands that concern this machine or this process, and not the library: servers, setup, doctor, completion.

import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { CliHost } from './cli-runtime.ts';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';
import { EXIT } from './exit-codes.ts';
import { renderConfig } from './render/render-config.ts';
import { renderFindings } from './render/render-findings.ts';
import { renderSetUp } from './render/render-set-up.ts';
import { CLIENTS } from './setup/clients.table.ts';
import { setUpClient } from './setup/setup-client.ts';

type SetCode = (code: number) => void;

export function addProcessCommands(program: Command, host: CliHost, setCode: SetCode): void {
  addServers(program, host);
  addSetUp(program, host);
  addCare(program, host, setCode);
  program
    .command('completion')
    .summary('Print a script that completes commands in a shell')
    .description(
      'Prints a script that completes the words and flags of pinakes.\n\nExample:\n  $ pinakes completion bash > ~/.local/share/bash-completion/completions/pinakes',
    )
    .addArgument(new Argument('<shell>', 'The shell').choices(SHELLS))
    .action((shell: Shell) => host.out(completionScript(program, shell)));
}

function addServers(program: Command, host: CliHost): void {
  program
    .command('worker')
    .summary('Crawl what was added, until stopped')
    .description(
      'Works on every run, until it is stopped. On PostgreSQL any number may work at once.\n\nExample:\n  $ pinakes worker',
    )
    .option('--until-idle', 'End when nothing is left to do')
    .action((flags: { untilIdle?: boolean }) => host.work(flags.untilIdle === true ? 'idle' : 'stopped'));
  program
    .command('serve')
    .summary('Answer over HTTP and MCP, and crawl')
    .description(
      'Answers over HTTP (/api, /events, /mcp, /metrics) and works on every run, until it is stopped.\n\nExample:\n  $ pinakes serve',
    )
    .action(() => host.serve((url) => host.err(`Pinakes answers at ${url}\n`)));
  program
    .command('mcp')
    .summary('Serve one MCP client on stdin and stdout')
    .description(
      `Serves one MCP client on stdin and stdout, and ends with it. Assistants start it by themselves:

  { "mcpServers": { "pinakes": { "command": "npx", "args": ["-y", "pinakes", "mcp"] } } }

pinakes setup CLIENT writes that for you. With --server the library is on another machine; its token is read from the
variable PINAKES_TOKEN.

Example:
  $ PINAKES_TOKEN=... pinakes mcp --server https://docs.corp.example`,
    )
    .action(() => host.mcp());
}

function addSetUp(program: Command, host: CliHost): void {
  program
    .command('setup')
    .summary('Tell an assistant about Pinakes, by its own configuration')
    .description(
      `Writes Pinakes into the configuration of an assistant: ${Object.keys(CLIENTS).join(', ')}. The file as it was is kept beside it.

Examples:
  $ pinakes setup claude-code --dry-run
  $ pinakes setup cursor
  $ pinakes setup cursor --undo`,
    )
    .addArgument(new Argument('<client>', 'The assistant').choices(Object.keys(CLIENTS)))
    .option('--dry-run', 'Show what would be written, and write nothing')
    .option('--undo', 'Bring back the file as it was before')
    .option('--json', 'Print the answer as JSON')
    .action(async (client: string, flags: { dryRun?: boolean; undo?: boolean; json?: boolean }) => {
      const wish = flags.undo === true ? 'undo' : flags.dryRun === true ? 'show' : 'write';
      const machine = { platform: process.platform, home: homedir(), env: process.env };
      const done = setUpClient(client, wish, { machine, server: await host.mcpCommand() });
      host.out(flags.json === true ? `${JSON.stringify(done)}\n` : renderSetUp(done));
    });
}

function addCare(program: Command, host: CliHost, setCode: SetCode): void {
  program
    .command('doctor')
    .summary('Look whether everything that is needed is there')
    .description(
      'Looks at Node, the data directory, its room, the database, its owner and optional packages, and names what is missing.\n\nExample:\n  $ pinakes doctor',
    )
    .option('--json', 'Print the findings as JSON')
    .action(async (flags: { json?: boolean }) => {
      const findings = await host.examine();
      host.out(flags.json === true ? `${JSON.stringify({ findings })}\n` : renderFindings(findings, host.colours));
      if (findings.some(({ state }) => state === 'wrong')) setCode(EXIT.failed);
    });
  program
    .command('restore')
    .summary('Put a backup in the place of the library')
    .description(
      'Puts a file that pinakes backup wrote in the place of the library. The library that was there is kept beside it.\n\nExample:\n  $ pinakes restore library-backup.db',
    )
    .argument('<file>', 'The backup')
    .option('--json', 'Print the answer as JSON')
    .action(async (file: string, flags: { json?: boolean }) => {
      const { before } = await host.restore(resolve(file));
      const kept = before === null ? '' : ` The library that was there is now ${before}.`;
      host.out(flags.json === true ? `${JSON.stringify({ restored: file, before })}\n` : `Restored ${file}.${kept}\n`);
    });
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
