#!/usr/bin/env node
/** The command line of Maitred. One table of commands; help, completion and parsing come from it. */
import { ConnectionError, ProblemError } from '@maitred/client';
import { parse, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { createContext, NotLoggedInError } from './context.ts';
import { helpAbout, helpOf, overview } from './help.ts';
import { createOutput, jsonOf, type Output, printable } from './output.ts';
import { VERSION } from './version.ts';

const INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  // `maitred venues | head` closes the pipe; that is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  process.once('SIGTERM', () => interruption.abort());
  const out = createOutput({ stdout, stderr, env }, argv.includes('--json'));
  try {
    if (argv[0] === 'help') {
      out.line(helpAbout(COMMANDS, argv.slice(1)));
      return 0;
    }
    const { command, args, options, global } = parse(COMMANDS, argv);
    if (global.version) out.line(VERSION);
    else if (!command || global.help) out.line(command ? helpOf(command) : overview(COMMANDS));
    else {
      const profileName = global.profile ?? (env.MAITRED_PROFILE || undefined);
      const signal = interruption.signal;
      await command.run(
        { args, options },
        createContext({ env, stdin, out, profileName, signal, version: VERSION }),
      );
    }
    if (!interruption.signal.aborted) return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!interruption.signal.aborted) return complain(out, error);
  }
  // Without waiting for calls that are under way.
  process.exit(INTERRUPTED);
}

/** Prints what went wrong and says which exit code that is. */
function complain(out: Output, error: unknown): number {
  if (error instanceof ProblemError) {
    const { title, detail, code, problem, correlationId } = error;
    if (out.isJson) out.note(jsonOf({ ...problem, correlationId }));
    else {
      out.note(`${out.style('red', printable(title))}${detail ? `: ${printable(detail)}` : ''}`);
      for (const [field, messages] of Object.entries(error.errors))
        out.note(`  ${printable(field)}: ${printable(messages.join(', '))}`);
      const page = problem.type ? `, see ${printable(String(problem.type))}` : '';
      out.note(`  ${printable(code)}${page}`);
    }
    return error.status === 401 ? 3 : 1;
  }
  const said = error instanceof Error ? error.message : String(error);
  out.note(out.isJson ? jsonOf({ error: said }) : out.style('red', printable(said)));
  if (error instanceof UsageError) return 2;
  if (error instanceof NotLoggedInError) return 3;
  return error instanceof ConnectionError ? 4 : 1;
}
