import type { Command } from 'commander';
import { addCommand, pathOf, type Group } from '../command-tree.js';
import { UsageError } from '../errors.js';

/** `subrail completion`. */
export function addCompletionCommand(root: Group): void {
  addCommand(root, {
    usage: 'completion <shell>',
    about: 'Print the completions of the command for a shell: bash, zsh or fish.',
    example: 'source <(subrail completion bash)',
    options: {},
    run({ terminal, operands: [shell = ''] }) {
      const script = SCRIPTS[shell];
      if (script === undefined) throw new UsageError(`"${shell}" is not bash, zsh or fish.`);
      terminal.write(script(wordsOf(root.command)));
      return Promise.resolve(0);
    },
  });
}

/** The words that may follow each command: commands and options. */
type Words = readonly (readonly [path: string, words: readonly string[]])[];

export function wordsOf(command: Command): Words {
  const options = command.options.map(({ long }) => long ?? '').filter((name) => name !== '');
  const commands = command.commands.map((one) => one.name());
  return [
    [pathOf(command), [...commands, ...options, '--help']],
    ...command.commands.flatMap((one) => wordsOf(one)),
  ];
}

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh: bashInZsh, fish };

/** The commands before the cursor choose the words that may follow. */
function bash(words: Words): string {
  const paths = words.map(([path]) => `'${path}'`).join('|');
  const cases = words.map(([path, after]) => `    '${path}') words='${after.join(' ')}' ;;`);
  return `_subrail() {
  local path=subrail words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${paths}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _subrail subrail
`;
}

function bashInZsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`;
}

function fish(words: Words): string {
  const cases = words.map(([path, after]) => `    case '${path}'\n      string join \\n ${after.join(' ')}`);
  const paths = words.map(([path]) => `'${path}'`).join(' ');
  return `function __subrail_words
  set -l path subrail
  for word in (commandline -opc)[2..]
    if contains -- "$path $word" ${paths}
      set path "$path $word"
    end
  end
  switch $path
${cases.join('\n')}
  end
end
complete -c subrail -a '(__subrail_words)'
`;
}
