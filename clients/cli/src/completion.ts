/** Scripts that complete commands and options in a shell, written from the table of commands. */
import { type Command, defineCommand, GLOBAL_OPTIONS, type Option, UsageError } from './command.ts';

const SHELLS = ['bash', 'zsh'] as const;

export function completionCommand(commands: () => readonly Command[]): Command {
  return defineCommand({
    name: 'completion',
    summary: 'Print a script that completes commands in your shell',
    details: 'Put the line that fits into the file that your shell reads when it starts.',
    arguments: [{ name: 'bash|zsh', choices: SHELLS }],
    options: {},
    examples: ['source <(maitred completion bash)', 'source <(maitred completion zsh)'],
    async run({ args: [shell] }, { out }) {
      if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('Say `bash` or `zsh`.');
      out.line(shell === 'bash' ? bashScript(commands()) : zshScript(commands()));
    },
  });
}

const PROFILES = '$(maitred profiles --names 2>/dev/null)';
const optionsOf = ({ options }: Command): [string, Option][] =>
  Object.entries<Option>({ ...options, ...GLOBAL_OPTIONS });

/** The first words, and after each of them the second ones. */
function wordTree(commands: readonly Command[]): Map<string, string[]> {
  const tree = new Map<string, string[]>();
  for (const { name, arguments: args = [] } of commands) {
    const [first = '', second] = name.split(' ');
    const choices = Array.isArray(args[0]?.choices) ? (args[0].choices as string[]) : [];
    tree.set(first, [...(tree.get(first) ?? []), ...(second === undefined ? choices : [second])]);
  }
  tree.set('help', [...tree.keys()]);
  return tree;
}

const words = (list: readonly string[]) => list.join(' ');

function bashScript(commands: readonly Command[]): string {
  const tree = wordTree(commands);
  const values = new Map<string, string>();
  for (const [name, { choices, type }] of commands.flatMap(optionsOf)) {
    // Two commands may have an option of one name; the values of the one that knows them are offered.
    if (type === 'boolean' || (!choices && values.has(`--${name}`))) continue;
    const made =
      choices === 'profiles'
        ? `COMPREPLY=($(compgen -W "${PROFILES}" -- "$word"))`
        : choices === 'files'
          ? 'COMPREPLY=($(compgen -f -- "$word"))'
          : `COMPREPLY=($(compgen -W '${words(choices ?? [])}' -- "$word"))`;
    values.set(`--${name}`, made);
  }
  const takeValue = [...values.keys()].join('|');
  return `# Completion of maitred for bash: source <(maitred completion bash)
_maitred() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} given=() i
  COMPREPLY=()
  case $before in
${[...values].map(([name, made]) => `    ${name}) ${made}; return ;;`).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${takeValue}) ((i++)) ;;
      -*) ;;
      *) given+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  if [[ $word == -* ]]; then
    case "\${given[*]}" in
${commands
  .toSorted((a, b) => b.name.length - a.name.length)
  .map(
    (command) =>
      `      "${command.name}"*) COMPREPLY=($(compgen -W '${words(flagsOf(command))}' -- "$word")) ;;`,
  )
  .join('\n')}
      *) COMPREPLY=($(compgen -W '${words(Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`))}' -- "$word")) ;;
    esac
    return
  fi
  case "\${#given[@]} \${given[0]}" in
    "0 ") COMPREPLY=($(compgen -W '${words([...tree.keys()])}' -- "$word")) ;;
${[...tree]
  .filter(([, seconds]) => seconds.length > 0)
  .map(([first, seconds]) => `    "1 ${first}") COMPREPLY=($(compgen -W '${words(seconds)}' -- "$word")) ;;`)
  .join('\n')}
${commands
  .filter(({ arguments: args = [] }) => args[0]?.choices === 'files')
  .map(({ name }) => `    "1 ${name}") COMPREPLY=($(compgen -f -- "$word")) ;;`)
  .join('\n')}
  esac
}
complete -F _maitred maitred`;
}

const flagsOf = (command: Command) => optionsOf(command).map(([name]) => `--${name}`);
const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');

function zshScript(commands: readonly Command[]): string {
  const tree = wordTree(commands);
  const summaries = [...tree.keys()].map((first) => {
    const { summary = 'Show help' } = commands.find(({ name }) => name.split(' ')[0] === first) ?? {};
    return `'${first}:${quoted(summary)}'`;
  });
  const valueOptions = commands
    .flatMap(optionsOf)
    .filter(([, { type }]) => type === 'string')
    .map(([name]) => `--${name}`)
    .filter((flag, index, all) => all.indexOf(flag) === index)
    .join('|');
  return `#compdef maitred
# Completion of maitred for zsh: source <(maitred completion zsh)
_maitred() {
  local -a commands given flags
  local word
  local -i skip=0
  commands=(${summaries.join(' ')})
  case $words[CURRENT-1] in
    --profile|--operator-profile) compadd -- \${(f)"${PROFILES}"}; return ;;
${commands
  .flatMap(optionsOf)
  .filter(
    ([name, { choices }], index, all) =>
      Array.isArray(choices) && all.findIndex(([n]) => n === name) === index,
  )
  .map(([name, { choices }]) => `    --${name}) compadd -- ${words(choices as string[])}; return ;;`)
  .join('\n')}
  esac
  for word in $words[2,CURRENT-1]; do
    case $word in
      ${valueOptions}) skip=1 ;;
      -*) ;;
      *) ((skip)) || given+=($word); skip=0 ;;
    esac
  done
  if [[ $words[CURRENT] == -* ]]; then
    case "$given" in
${commands
  .toSorted((a, b) => b.name.length - a.name.length)
  .map((command) => `      '${command.name}'*) flags=(${words(flagsOf(command))}) ;;`)
  .join('\n')}
      *) flags=(${words(Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`))}) ;;
    esac
    compadd -- $flags
    return
  fi
  case "$#given $given[1]" in
    '0 ') _describe command commands ;;
${[...tree]
  .filter(([, seconds]) => seconds.length > 0)
  .map(([first, seconds]) => `    '1 ${first}') compadd -- ${words(seconds)} ;;`)
  .join('\n')}
    *) _files ;;
  esac
}
compdef _maitred maitred`;
}
