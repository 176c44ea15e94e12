/** What holds for every answer, whoever asked for what. */
import {
  assertSound,
  codeIn,
  isOAuthError,
  isRpcError,
  type Outcome,
} from '../../test/abuse/support/target.ts';
import { foreignGuestsIn } from './markers.ts';
import type { Shot } from './requests.ts';

/** One thing that was wrong with an answer, and what it answered. */
export interface Finding {
  what: string;
  operation: string;
  caller: string;
  request: string;
  answer: string;
}

/** Nothing that only the inside of the program has words for. */
const INSIDE = [
  /\bat \S+ \(?(?:file:|node:|\/)\S+:\d+:\d+/,
  /node_modules|\/src\/|\.ts:\d+/,
  /PostgresError|relation "|column "|syntax error at or near|violates \w+ constraint|duplicate key value/,
  /ECONN|ENOENT|TypeError|RangeError|is not a function|Cannot read prop/,
];

export function findingsIn(shot: Shot, outcome: Outcome): Finding[] {
  const faults = [
    ...soundness(shot, outcome),
    ...promises(shot, outcome),
    ...words(outcome),
    ...foreignGuestsIn(outcome.text, shot.asking.caller).map((tag) => `shows a guest of others: ${tag}`),
  ];
  return faults.map((what) => ({
    what,
    operation: shot.asking.operation.name,
    caller: shot.asking.caller.name,
    request: describe(shot),
    answer: `${outcome.status} ${outcome.text.slice(0, 600)}`,
  }));
}

function soundness({ wire }: Shot, outcome: Outcome): string[] {
  try {
    assertSound(outcome, wire.method);
    return [];
  } catch (error) {
    return [`is not sound: ${(error as Error).message.split('\n')[0]}`];
  }
}

/** Statuses, codes and bodies are those of the document. */
function promises({ asking: { operation }, wire }: Shot, { status, headers, text }: Outcome): string[] {
  if (status >= 500) return [];
  const codes = operation.codesByStatus.get(status);
  if (!codes) return [`answers ${status}, which the document does not have`];
  const [type = ''] = String(headers['content-type']).split(';');
  if (status >= 400) {
    const body = JSON.parse(text);
    if (operation.path === '/oauth/token' && isOAuthError(body)) return [];
    // What the protocol of MCP itself refuses has no code of ours.
    const code = codeIn(body);
    if (isRpcError(body) && code === undefined) return [];
    return codes.has(code ?? '') ? [] : [`answers ${status} ${code}, which the document does not have`];
  }
  if (status === 204 || status === 304) return text === '' ? [] : [`has a body with ${status}`];
  if (type !== 'application/json') {
    const isDescribed = operation.typesByStatus.get(status)?.includes(type);
    const isWanted = !type.includes('toon') || wire.headers.accept?.includes('toon');
    return isDescribed && isWanted ? [] : [`is ${type}`];
  }
  const faults = operation.faultsOf(status, JSON.parse(text));
  return faults.length === 0 ? [] : [`does not fit its schema: ${JSON.stringify(faults)}`];
}

/** Where we refuse, the words are ours; what is stored may be anything that somebody wrote. */
function words({ status, text }: Outcome): string[] {
  if (status < 400) return [];
  return INSIDE.filter((pattern) => pattern.test(text)).map((pattern) => `speaks of the inside: ${pattern}`);
}

function describe({ wire, address }: Shot): string {
  const { authorization, ...headers } = wire.headers;
  const body = wire.body ? wire.body.subarray(0, 600).toString() : '';
  return `${wire.method} ${address.plain.slice(0, 200)} ${wire.path.slice(0, 300)} ${JSON.stringify(headers)} ${body}`;
}
