// Completion scripts for shells, generated from the commands themselves.

import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface CompletionWord {
  /** The command with its group, if it has one. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly string[];
  /** Whether its first argument is the name of a source. */
  readonly takesSource: boolean;
}

/** Prints the names of the sources. They are the same in every shell, and contain nothing that a shell expands. */
const LIST_SOURCES = `pinakes list --json 2>/dev/null | grep -o '"source":"[^"]*"' | cut -d '"' -f 4`;

export function completionScript(program: Command, shell: Shell): string {
  const words = collectWords(program, []);
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return zshScript(words);
    case 'fish':
      return fishScript(words);
  }
}

function collectWords(command: Command, path: readonly string[]): CompletionWord[] {
  const flags = [
    ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
    '--help',
  ];
  const takesSource = command.registeredArguments[0]?.name() === 'source';
  const own = { path, summary: command.summary() || command.description(), flags, takesSource };
  return [own, ...command.commands.flatMap((inner) => collectWords(inner, [...path, inner.name()]))];
}

function subcommandsOf(words: readonly CompletionWord[], path: readonly string[]): readonly CompletionWord[] {
  return words.filter((word) => word.path.length === path.length + 1 && path.every((part, i) => word.path[i] === part));
}

function choices(words: readonly CompletionWord[], { path, flags }: CompletionWord): string {
  return [...subcommandsOf(words, path).map((word) => word.path.at(-1) ?? ''), ...flags].join(' ');
}

/** The commands that take a source, as a pattern of `case`. */
function sourceCommands(words: readonly CompletionWord[]): string {
  return words.flatMap(({ path, takesSource }) => (takesSource ? [`'${path.join(' ')}'`] : [])).join('|') || "'-'";
}

function bashScript(words: readonly CompletionWord[]): string {
  const cases = words.map((word) => `      '${word.path.join(' ')}') words='${choices(words, word)}' ;;`);
  return `# pinakes completion for bash. Install it with: pinakes completion bash > ~/.local/share/bash-completion/completions/pinakes
_pinakes() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ "$(wc -w <<<"$path")" -lt 2 ] && path="\${path:+$path }$word" ;; esac
  done
  for word in "$path" "\${path%% *}"; do
    case "$word" in
${cases.join('\n')}
    esac
    [ -n "$words" ] && break
  done
  case "$path:\${COMP_WORDS[COMP_CWORD-1]}:\${COMP_WORDS[COMP_CWORD]}" in
    *:*:-*) ;;
    *:--source:*) words=$(${LIST_SOURCES}) ;;
    *) case "$path" in ${sourceCommands(words)}) words="$words $(${LIST_SOURCES})" ;; esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _pinakes pinakes
`;
}

function zshScript(words: readonly CompletionWord[]): string {
  const cases = words.map((word) => {
    const named = subcommandsOf(words, word.path).map(
      ({ path, summary }) => `'${path.at(-1) ?? ''}:${quoted(summary)}'`,
    );
    return `    '${word.path.join(' ')}') commands=(${named.join(' ')}); flags=(${word.flags.join(' ')}) ;;`;
  });
  return `#compdef pinakes
# pinakes completion for zsh. Put it into a folder of $fpath: pinakes completion zsh > ~/.zfunc/_pinakes
_pinakes() {
  local -a commands flags
  local -a typed=(\${(@)\${(@)words[2,CURRENT-1]}:#-*})
  local prefix
  for prefix in "\${(j: :)typed[1,2]}" "$typed[1]"; do
    case "$prefix" in
${cases.join('\n')}
    esac
    (( \${#flags} )) && break
  done
  local -a sources
  if [[ "$words[CURRENT-1]" == --source ]]; then sources=(\${(f)"$(${LIST_SOURCES})"}); fi
  if [[ "$words[CURRENT]" != -* ]]; then
    case "\${(j: :)typed}" in ${sourceCommands(words)}) sources=(\${(f)"$(${LIST_SOURCES})"}) ;; esac
  fi
  (( \${#sources} )) && compadd -- $sources
  (( \${#commands} )) && _describe 'command' commands
  (( \${#flags} )) && compadd -- $flags
  _files
}
_pinakes "$@"
`;
}

function fishScript(words: readonly CompletionWord[]): string {
  const lines = words.flatMap((word) => {
    const [first] = word.path;
    const when =
      first === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${word.path.at(-1) ?? first}`;
    return [
      ...subcommandsOf(words, word.path).map(
        ({ path, summary }) => `complete -c pinakes -n '${when}' -f -a '${path.at(-1) ?? ''}' -d '${quoted(summary)}'`,
      ),
      ...word.flags.map((flag) =>
        flag === '--source'
          ? `complete -c pinakes -n '${when}' -l source -x -a '(__pinakes_sources)'`
          : `complete -c pinakes -n '${when}' -l '${flag.slice(2)}'`,
      ),
      ...(word.takesSource ? [`complete -c pinakes -n '${when}' -f -a '(__pinakes_sources)'`] : []),
    ];
  });
  return `# pinakes completion for fish. Install it with: pinakes completion fish > ~/.config/fish/completions/pinakes.fish
function __pinakes_sources
  ${LIST_SOURCES}
end
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return (text.split('\n')[0] ?? '').replaceAll("'", '').replaceAll(':', ' -');
}
