/** What holds for every answer, whoever asked for what. */
import {
  assertSound,
  codeIn,
  isOAuthError,
  isRpcError,
  type Outcome,
} from '../../test/abuse/support/target.ts';
import { assertPublished, isPublished } from '../../test/channels/octo-support.ts';
import type { Caller } from './callers.ts';
import type { Operation } from './document.ts';
import { foreignGuestsIn } from './markers.ts';
import type { Shot } from './requests/shot.ts';
import type { Probe } from './surfaces/probe.ts';
import type { WireRequest } from './wire.ts';

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
  const { operation, caller } = shot.asking;
  const faults = [
    ...soundness(shot.wire.method, outcome),
    ...promises(shot, outcome),
    ...ofOcto(operation, outcome),
    ...words(outcome),
    ...guests(outcome, caller),
  ];
  return asFindings(faults, operation.name, caller, shot.wire, outcome);
}

export function findingsOfProbe(probe: Probe, outcome: Outcome): Finding[] {
  const { name, caller, wire, isPage } = probe;
  const isStyled = isPage && String(outcome.headers['content-type']).startsWith('text/html');
  const faults = [
    ...(isStyled && outcome.status < 500 ? headersOfPage(outcome) : soundness(wire.method, outcome)),
    ...probe.faultsIn(outcome),
    ...words(outcome),
    ...guests(outcome, caller),
  ];
  return asFindings(faults, name, caller, wire, outcome);
}

const asFindings = (
  faults: readonly string[],
  operation: string,
  caller: Caller,
  wire: WireRequest,
  { status, text }: Outcome,
): Finding[] =>
  faults.map((what) => ({
    what,
    operation,
    caller: caller.name,
    request: describe(wire),
    answer: `${status} ${text.slice(0, 600)}`,
  }));

const guests = ({ text }: Outcome, caller: Caller) =>
  foreignGuestsIn(text, caller).map((tag) => `shows a guest of others: ${tag}`);

const headersOfPage = ({ headers }: Outcome) =>
  ['content-security-policy', 'x-content-type-options', 'referrer-policy']
    .filter((name) => !headers[name])
    .map((name) => `${name} is missing`);

/** Every answer of the OCTO channel fits the document that OCTO publishes, where that is at hand. */
function ofOcto({ path, method }: Operation, outcome: Outcome): string[] {
  if (!isPublished || !path.startsWith('/octo/') || outcome.status >= 500) return [];
  try {
    assertPublished(path, method, { ...outcome, json: JSON.parse(outcome.text) });
    return [];
  } catch (error) {
    const { message } = error as Error;
    // It says of few operations how they are refused.
    if (outcome.status >= 400 && message.endsWith('is not in the document')) return [];
    return [`does not fit the document of OCTO: ${message.slice(0, 300)}`];
  }
}

function soundness(method: string, outcome: Outcome): string[] {
  try {
    assertSound(outcome, method);
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
  if (status === 202 && operation.typesByStatus.get(202)?.length === 0) return [];
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

function describe({ method, path, headers, body }: WireRequest): string {
  const { authorization, cookie, ...others } = headers;
  const text = body ? body.subarray(0, 600).toString() : '';
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(others)} ${text}`;
}
