import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import { connectDatabase } from '../src/db/connect.ts';
import { openPool, type Sql } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { Problem, StartError } from '../src/kernel/problem.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Given extends Options> = ReturnType<typeof parseArgs<{ options: Given }>>['values'];

export interface Command<Given extends Options> {
  name: string;
  usage: string;
  options: Given;
  /** Whether these options make sense together. */
  accepts(values: Values<Given>): boolean;
  /** Whether the schema is left as it is found. */
  keepsSchema?: boolean;
  /** Before the database is reached or made. */
  prepare?(values: Values<Given>): Promise<void>;
  /** Where the steps of starting are told. */
  progress: (line: string) => void;
  run(values: Values<Given>, context: { config: Config; sql: Sql }): Promise<void>;
}

/** Runs a command on the database of the node; what it cannot do it says in a sentence, and ends with 1. */
export async function runCommand<Given extends Options>(command: Command<Given>): Promise<void> {
  const values = valuesOf(command);
  if (!values) return fail(command.usage);
  try {
    const config = readConfig(process.env);
    await command.prepare?.(values);
    await using started = new AsyncDisposableStack();
    const database = await connectDatabase(config, command.progress);
    started.defer(() => database.stop());
    const sql = openPool(database.url, { max: 2, applicationName: `maitred ${command.name}` });
    started.defer(() => sql.end({ timeout: 5 }));
    if (!command.keepsSchema) await migrate(sql, { progress: command.progress });
    await command.run(values, { config, sql });
  } catch (error) {
    const isPlain = error instanceof ConfigError || error instanceof StartError || error instanceof Problem;
    fail(isPlain ? error.message : error);
  }
}

/** Undefined: it was asked for something else. */
function valuesOf<Given extends Options>({ options, accepts }: Command<Given>): Values<Given> | undefined {
  try {
    const { values } = parseArgs({ args: process.argv.slice(2), options });
    return accepts(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function fail(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}
