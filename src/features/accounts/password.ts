/** Passwords of people: their requirements, and how they are stored. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { problem } from '../../kernel/problem.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
/** A local part that is shorter is in many words. */
const MIN_TELLING_LENGTH = 3;

/**
 * The passwords that are tried first, in small letters: of the 49,000 commonest that zxcvbn-ts lists, and of some that
 * services set themselves, those that are long enough and do not repeat themselves. Shorter ones are refused anyway.
 */
const COMMON = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n'),
);

/** One character, or a few, again and again. */
const REPEATED = /^(.{1,4})\1+.{0,3}$/su;

/** The same characters, however they were typed. */
const keptOf = (text: string) => text.normalize('NFKC');

export function assertStrong(password: string, email: string): void {
  const weakness = findWeakness(password, email);
  if (weakness) throw problem('USER-N-012', { detail: `The password ${weakness}.` });
}

function findWeakness(password: string, email: string): string | undefined {
  const kept = keptOf(password);
  const length = [...kept].length;
  if (length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const plain = kept.toLowerCase();
  const local = keptOf(email).split('@')[0]?.toLowerCase() ?? '';
  if (local.length >= MIN_TELLING_LENGTH && plain.includes(local))
    return 'must not contain the name of your email address';
  if (COMMON.has(plain)) return 'is one of the most common ones';
  if (REPEATED.test(plain)) return 'repeats itself';
  return undefined;
}

/** Memory in KiB, passes over it, and lanes: what OWASP recommends for argon2id. */
interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const derive = promisify(argon2);
/** It runs beside the event loop; two at once leave room there for everything else that runs beside it. */
const limited = createConcurrencyLimit({ concurrency: 2, waiting: 64 });

function tagOf(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: Buffer.from(keptOf(password)),
    nonce: salt,
    tagLength: TAG_BYTES,
    ...cost,
  };
  return limited(() => derive('argon2id', parameters));
}

function textOf({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
}

function partsOf(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt, tag] = STORED.exec(stored) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('A password is not stored as argon2id.');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** What is stored: the hash with everything that is needed to make it again. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return textOf(COST, salt, await tagOf(password, salt, COST));
}

export async function matchesPassword(password: string, stored: string): Promise<boolean> {
  const { cost, salt, tag } = partsOf(stored);
  const candidate = await tagOf(password, salt, cost);
  return candidate.length === tag.length && timingSafeEqual(candidate, tag);
}

/** Hashed with a lower cost than today's. */
export function isStale(stored: string): boolean {
  const { cost } = partsOf(stored);
  return cost.memory < COST.memory || cost.passes < COST.passes;
}

/** Compared where there is no account, so that the response time does not reveal it. No password hashes to it. */
export const DECOY = textOf(COST, randomBytes(16), randomBytes(TAG_BYTES));

/** A concurrency limit for expensive work: a few run at once, some wait, and further calls are refused. */
export function createConcurrencyLimit({ concurrency, waiting }: { concurrency: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  return async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < concurrency) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw problem('HTTP-R-503', { detail: 'Too many passwords are being checked; try again soon.' });
    try {
      return await work();
    } finally {
      // The slot passes to the first in the queue, so that a new call cannot overtake it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
