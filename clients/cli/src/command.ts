/** What a command is, and how the arguments of one are read. Help, completion and parsing all come from it. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Context } from './context.ts';

export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  /** May be given several times, or with commas. */
  isList?: boolean;
  /** How help calls the value. */
  value?: string;
  about: string;
  /** What completion offers; `profiles` stands for the names of the stored profiles. */
  choices?: readonly string[] | 'profiles' | 'files';
}
export type Options = Record<string, Option>;

export interface Argument {
  name: string;
  isOptional?: boolean;
  isRepeated?: boolean;
  choices?: readonly string[] | 'files';
}

type Value<Given extends Option> = Given['type'] extends 'boolean'
  ? boolean
  : Given['isList'] extends true
    ? string[]
    : string;
export type Values<Given extends Options> = { [Name in keyof Given]?: Value<Given[Name]> };

interface Definition<Given extends Options> {
  /** One or two words. */
  name: string;
  summary: string;
  /** Further lines of help. */
  details?: string;
  arguments?: readonly Argument[];
  options: Given;
  examples: readonly string[];
  run(given: { args: string[]; options: Values<Given> }, context: Context): Promise<void>;
}

export type Command = Definition<Options>;

/** Keeps the types of the options for `run`, and hands out a command that the table can hold. */
export function defineCommand<const Given extends Options>(definition: Definition<Given>): Command {
  return definition as unknown as Command;
}

/** The caller asked for something that there is not; ends with 2. */
export class UsageError extends Error {}

export const GLOBAL_OPTIONS = {
  profile: {
    type: 'string',
    value: 'NAME',
    about: 'Which login to use; see `maitred profiles`',
    choices: 'profiles',
  },
  json: { type: 'boolean', about: 'Print JSON: one document, or one a line for what goes on' },
  help: { type: 'boolean', short: 'h', about: 'Show help' },
  version: { type: 'boolean', about: 'Show the version' },
} as const satisfies Options;

export interface Parsed {
  command: Command | undefined;
  args: string[];
  options: Values<Options>;
  global: Values<typeof GLOBAL_OPTIONS>;
}

const SECRET_ARGUMENT = /^--(client-?)?(secret|password|token)(=|$)/;

/** Throws a `UsageError`; its message never repeats the value of an option, which may be a secret. */
export function parse(commands: readonly Command[], argv: readonly string[]): Parsed {
  if (argv.some((argument) => SECRET_ARGUMENT.test(argument)))
    throw new UsageError(
      'A secret given as an argument can be read by every user of this machine, and stays in the history of the shell. Use the prompt, --secret-stdin or the variable that `maitred help login` names.',
    );
  const words = wordsOf(argv);
  const command = findCommand(commands, words);
  if (!command && words.length > 0) throw new UsageError(unknownCommand(commands, words));
  const specs = { ...command?.options, ...GLOBAL_OPTIONS };
  const { values, positionals } = strictly(specs, argv);
  const { profile, json, help, version, ...options } = values as Values<typeof GLOBAL_OPTIONS> &
    Values<Options>;
  const args = positionals.slice(command?.name.split(' ').length ?? 0);
  const global = { profile, json, help, version } as Values<typeof GLOBAL_OPTIONS>;
  if (command && !help) assertArguments(command, args);
  return { command, args, options: options as Values<Options>, global };
}

/** What is neither an option nor the value of a global one; enough to know the command. */
function wordsOf(argv: readonly string[]): string[] {
  const { positionals } = parseArgs({
    args: [...argv],
    options: configOf(GLOBAL_OPTIONS),
    strict: false,
    allowPositionals: true,
  });
  return positionals;
}

/** Two words before one: `bookings show` is not `bookings` about «show». */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const named = (count: number) => commands.find(({ name }) => name === words.slice(0, count).join(' '));
  return named(2) ?? named(1);
}

function strictly(specs: Options, argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: configOf(specs),
      allowPositionals: true,
    });
    return { values: withLists(specs, values), positionals };
  } catch (error) {
    throw new UsageError(sentenceOf(specs, error as Error & { code?: string }));
  }
}

function configOf(specs: Options): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, isList }]) => [
      name,
      { type, ...(short && { short }), ...(isList && { multiple: true }) },
    ]),
  );
}

function withLists(specs: Options, values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      specs[name]?.isList ? (value as string[]).flatMap((each) => each.split(',').filter(Boolean)) : value,
    ]),
  );
}

function sentenceOf(specs: Options, { code, message }: Error & { code?: string }): string {
  const [, option = ''] = /'(--?[^' =]+)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const close = closest(option.replace(/^-+/, ''), Object.keys(specs));
    return `There is no option ${option}.${close ? ` Did you mean --${close}?` : ' `--help` lists them.'}`;
  }
  return specs[option.replace(/^-+/, '')]?.type === 'boolean'
    ? `${option} takes no value.`
    : `${option} needs a value.`;
}

function assertArguments({ name, arguments: expected = [] }: Command, args: readonly string[]): void {
  const missing = expected.find(({ isOptional }, index) => !isOptional && args[index] === undefined);
  if (missing) throw new UsageError(`${missing.name} is missing: see \`maitred help ${name}\`.`);
  if (args.length > expected.length && !expected.at(-1)?.isRepeated)
    throw new UsageError(`«${args[expected.length]}» is one argument too many.`);
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  const [first = ''] = words;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0) {
    const names = family.map(({ name }) => `\`maitred ${name}\``).join(', ');
    return `\`maitred ${first}\` needs one word more: ${names}.`;
  }
  const close = closest(first, [...new Set(commands.flatMap(({ name }) => name.split(' ')[0] ?? []))]);
  return `There is no command «${first}».${close ? ` Did you mean \`maitred ${close}\`?` : ''} \`maitred help\` lists them.`;
}

/** The candidate that begins with the word, or that takes the fewest edits if those are few. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const longer = word.length > 1 ? candidates.find((candidate) => candidate.startsWith(word)) : undefined;
  if (longer) return longer;
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

/** Levenshtein distance in which two letters that changed places count once. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const at = (r: number, c: number) => (r === i ? row[c] : rows[r]?.[c]) ?? 0;
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (isSame ? 0 : 1),
        ...(isSwapped ? [at(i - 2, j - 2) + 1] : []),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
