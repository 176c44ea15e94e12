import { type Command, closest, GLOBAL_OPTIONS, type Options, UsageError } from './command.ts';

/** What each exit code says; scripts rely on them. */
export const EXIT_CODES = {
  0: 'done',
  1: 'refused by the service, or something is wrong',
  2: 'the command was not understood',
  3: 'not logged in, or the credentials are not accepted',
  4: 'the service, or a receiver, was not reached',
  130: 'ended by Ctrl-C',
} as const;

const synopsis = ({ name, arguments: args = [] }: Command) =>
  [
    `maitred ${name}`,
    ...args.map(({ name: argument, isOptional, isRepeated }) => {
      const text = argument + (isRepeated ? '…' : '');
      return isOptional ? `[${text}]` : text;
    }),
  ].join(' ');

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => synopsis(command).length)) - 'maitred '.length;
  return [
    'maitred COMMAND [OPTIONS]',
    '',
    'Commands:',
    ...commands.map(
      (command) => `  ${synopsis(command).slice('maitred '.length).padEnd(width)}  ${command.summary}`,
    ),
    '',
    'With every command:',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    'Exit codes:',
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`),
    '',
    '`maitred help COMMAND` shows options and examples.',
  ].join('\n');
}

export function helpOf(command: Command): string {
  const { summary, details, options, examples } = command;
  return [
    `${synopsis(command)}${Object.keys(options).length > 0 ? ' [OPTIONS]' : ''}`,
    '',
    `${summary}.`,
    ...(details ? ['', details] : []),
    ...(Object.keys(options).length > 0 ? ['', 'Options:', ...optionLines(options)] : []),
    '',
    'With every command:',
    ...optionLines(GLOBAL_OPTIONS),
    '',
    `Example${examples.length > 1 ? 's' : ''}:`,
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { short, value, about, type }]) => ({
    flags: `${short ? `-${short}, ` : ''}--${name}${type === 'string' ? ` ${value ?? 'VALUE'}` : ''}`,
    about,
  }));
  const width = Math.max(...rows.map(({ flags }) => flags.length));
  return rows.map(({ flags, about }) => `  ${flags.padEnd(width)}  ${about}`);
}

/** Help about the words after `help`: of one command, of those that begin with a word, or of all. */
export function helpAbout(commands: readonly Command[], words: readonly string[]): string {
  const name = words.join(' ');
  if (name === '') return overview(commands);
  const found = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `));
  if (found.length > 0) return found.map(helpOf).join('\n\n---\n\n');
  const close = closest(
    name,
    commands.map((command) => command.name),
  );
  throw new UsageError(
    `There is no command «${name}».${close ? ` Did you mean \`maitred help ${close}\`?` : ''}`,
  );
}
