/** Spans of statements. They are named after what they do and to which table; values are never part of them. */
import { failureOf, startSpan } from '../kernel/tracing.ts';

/** What the driver calls when a statement is awaited, and when it has been answered. */
interface Statement {
  strings: readonly string[];
  handler(statement: Statement): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Of a statement that is about to be sent. */
export function traceStatement(statement: Statement): void {
  const { name, attributes } = described(statement.strings);
  const span = startSpan(name, 'client', attributes);
  if (!span) return;
  const { resolve, reject } = statement;
  statement.resolve = (result) => {
    span.end();
    resolve(result);
  };
  statement.reject = (error) => {
    span.end(failureOf(error));
    reject(error);
  };
}

/** The same for one that is only made yet, and may become part of another. */
export function traceWhenSent(statement: Statement): void {
  const send = statement.handler;
  statement.handler = (sent) => {
    traceStatement(sent);
    send(sent);
  };
}

interface Described {
  name: string;
  attributes: Record<string, string>;
}

const known = new WeakMap<readonly string[], Described>();
const described = (strings: readonly string[]) =>
  known.getOrInsertComputed(strings, () => describe(strings.join(' ? ')));

const WRITE = /\b(insert into|update|delete from|merge into)\s+(?:only\s+)?([a-z_][\w.]*)/i;
const READ = /\bfrom\s+(?:only\s+)?([a-z_][\w.]*)(?!\s*\()/i;
const VERB = /^\s*([a-z]+)/i;

/** A statement that writes is named after its first write, whatever it reads before. */
function describe(text: string): Described {
  const write = WRITE.exec(text);
  const verb = (write?.[1] ?? VERB.exec(text)?.[1] ?? 'statement').split(' ')[0]?.toLowerCase() as string;
  const table = write?.[2] ?? READ.exec(text)?.[1];
  const operation = verb === 'with' ? 'select' : verb;
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}
