/**
 * Failures that a caller asks for in the sandbox with `X-Sandbox-Fault`, so that it can meet every outcome on purpose.
 * They belong to one request, are part of its scope, and are remembered nowhere.
 */
import { invalid, type Problem } from './problem.ts';

export const SANDBOX_FAULT = 'X-Sandbox-Fault';

const OF_SYSTEMS = [
  'taken',
  'rejected',
  'rate-limited',
  'unavailable',
  'unknown-applied',
  'unknown-not-applied',
  'slow',
] as const;

/** What can fail, and how. */
export const FAULTS = {
  availability: ['rate-limited', 'unavailable', 'slow'],
  booking: OF_SYSTEMS,
  hold: OF_SYSTEMS,
  amend: OF_SYSTEMS,
  cancel: ['rejected', 'rate-limited', 'unavailable', 'unknown-applied', 'unknown-not-applied', 'slow'],
  webhook: ['lost', 'late', 'twice', 'bad-signature'],
  connection: ['cut', 'cut-before'],
} as const satisfies Record<string, readonly string[]>;

export type FaultSubject = keyof typeof FAULTS;
export type FaultName<Subject extends FaultSubject = FaultSubject> = (typeof FAULTS)[Subject][number];

export interface Fault<Subject extends FaultSubject = FaultSubject> {
  subject: Subject;
  name: FaultName<Subject>;
  /** Of `slow` and `late`, otherwise 0. */
  seconds: number;
}

/** How long it takes unless the caller says, and at most. */
const SECONDS: Partial<Record<FaultName, { usual: number; most: number }>> = {
  slow: { usual: 5, most: 60 },
  late: { usual: 30, most: 3600 },
};

/** The faults of one request. */
export class SandboxFaults {
  readonly #requested: ReadonlyMap<FaultSubject, Fault>;
  /** Those that had an effect. */
  readonly met = new Set<Fault>();
  /** A system in our database works inside of a transaction, which must not wait: its answer waits instead. */
  answerDelayMs = 0;
  /** What was asked for is done, and the caller is not to know. */
  isAnswerLost = false;
  /** Resolves when the answer has waited long enough; absent: it does not wait. */
  answered: Promise<void> | undefined;

  constructor(asked: readonly Fault[]) {
    this.#requested = new Map(asked.map((fault) => [fault.subject, fault]));
  }

  /** The fault of the first of these subjects that has one; it counts as met. */
  meet<Subject extends FaultSubject>(...subjects: Subject[]): Fault<Subject> | undefined {
    const subject = subjects.find((each) => this.#requested.has(each));
    const fault = subject && this.#requested.get(subject);
    if (fault) this.met.add(fault);
    return fault as Fault<Subject> | undefined;
  }

  /** Whether the outcome of a change is to stay unknown: then it cannot be looked up either. */
  hidesOutcomes(): boolean {
    return this.#requested.values().some(({ name }) => name.startsWith('unknown-'));
  }
}

export interface RequestedFaults {
  faults: Fault[];
  /** The code of the problem to answer, as it was sent. */
  answer: string | undefined;
}

/** Reads `booking=taken, webhook=late:60, answer=CODE`. */
export function readSandboxFaults(text: string): RequestedFaults {
  const faults = new Map<string, Fault>();
  let answer: string | undefined;
  for (const part of text.split(',')) {
    const [subject = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    if (rest.length > 0 || faults.has(subject) || (subject === 'answer' && answer !== undefined))
      throw notUnderstood(part);
    if (subject === 'answer') answer = value;
    else faults.set(subject, readFault(subject, value, part));
  }
  return { faults: [...faults.values()], answer };
}

function readFault(subject: string, value: string, part: string): Fault {
  if (!isSubject(subject)) throw notUnderstood(part);
  const [name = '', digits, ...rest] = value.split(':');
  const known: readonly string[] = FAULTS[subject];
  if (rest.length > 0 || !known.includes(name)) throw notUnderstood(part);
  const fault = { subject, name: name as FaultName };
  const limits = SECONDS[fault.name];
  if (digits === undefined) return { ...fault, seconds: limits?.usual ?? 0 };
  const seconds = Number(digits);
  if (limits === undefined || !/^\d+$/.test(digits) || seconds < 1 || seconds > limits.most)
    throw notUnderstood(part);
  return { ...fault, seconds };
}

const isSubject = (text: string): text is FaultSubject => Object.hasOwn(FAULTS, text);

const KNOWN = Object.entries(FAULTS)
  .map(([subject, names]) => `${subject}=${names.join('|')}`)
  .join(', ');

/** The text of a header may be anything, and only a little of it is repeated. */
const notUnderstood = (part: string): Problem =>
  invalid(
    SANDBOX_FAULT,
    `has «${part.trim().slice(0, 60)}», which is none of ${KNOWN}, answer=CODE, each once, with a comma between; slow and late take seconds, as in slow:2`,
  );

/** As it is written in a header and in a metric. */
export const faultText = ({ subject, name, seconds }: Fault): string =>
  `${subject}=${name}${seconds > 0 ? `:${seconds}` : ''}`;
