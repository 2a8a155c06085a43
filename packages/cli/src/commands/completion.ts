import { Argument, Command } from 'commander';
import { print } from '../service.ts';

/** A subcommand or a flag, with its description. */
type Word = { word: string; about: string };
/** The words that may follow one command. */
type Branch = { path: string[]; words: Word[] };

export function completionCommand(): Command {
  const command = new Command('completion')
    .description('print a script that completes gatehouse commands in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nbash: eval "$(gatehouse completion bash)"\nzsh:  eval "$(gatehouse completion zsh)"\nfish: gatehouse completion fish | source',
    );
  return command.action((shell: 'bash' | 'zsh' | 'fish') => {
    const branches = branchesOf(command.parent ?? command);
    print({ bash, zsh, fish }[shell](branches));
  });
}

function branchesOf(command: Command, path: string[] = []): Branch[] {
  const inner = command.commands.map((each) => ({ word: each.name(), about: each.description() }));
  const flags = command.options.flatMap((each) =>
    each.long ? [{ word: each.long, about: each.description }] : [],
  );
  const own = { path, words: [...inner, ...flags, { word: '--help', about: 'show help' }] };
  return [own, ...command.commands.flatMap((each) => branchesOf(each, [...path, each.name()]))];
}

const list = (words: Word[]) => words.map(({ word }) => word).join(' ');
/** Shell patterns of the commands two words long, such as 'events tail'. */
const nested = (branches: Branch[]) =>
  branches
    .filter(({ path }) => path.length === 2)
    .map(({ path }) => quote(path.join(' ')))
    .join('|');
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(branches: Branch[]): string {
  const cases = branches.map(
    ({ path, words }) => `    ${quote(path.join(' '))}) words=${quote(list(words))} ;;`,
  );
  return `_gatehouse() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) ;; *) [[ $at -le 2 ]] && path="\${path:+$path }\${COMP_WORDS[at]}" ;; esac
  done
  case "$path" in ${nested(branches)}) ;; *) path="\${path%% *}" ;; esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _gatehouse gatehouse`;
}

function zsh(branches: Branch[]): string {
  const described = (words: Word[]) =>
    words.map(({ word, about }) => quote(`${word}:${about.replaceAll(':', ' ')}`)).join(' ');
  const cases = branches.map(
    ({ path, words }) => `    ${quote(path.join(' '))}) words_here=(${described(words)}) ;;`,
  );
  return `#compdef gatehouse
_gatehouse() {
  local -a words_here
  local path_here="\${words[2]}"
  (( CURRENT == 2 )) && path_here=""
  (( CURRENT > 3 )) && case "\${words[2]} \${words[3]}" in ${nested(branches)}) path_here="\${words[2]} \${words[3]}" ;; esac
  case "$path_here" in
${cases.join('\n')}
  esac
  _describe 'word' words_here
  (( CURRENT > 2 )) && _files
}
compdef _gatehouse gatehouse`;
}

function fish(branches: Branch[]): string {
  return branches
    .flatMap(({ path, words }) => {
      const last = path.at(-1);
      const when = last ? `__fish_seen_subcommand_from ${last}` : '__fish_use_subcommand';
      return words.map(({ word, about }) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
        return `complete -c gatehouse -n ${quote(when)} ${what} -d ${quote(about)}`;
      });
    })
    .join('\n');
}
