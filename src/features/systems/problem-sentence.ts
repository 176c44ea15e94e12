import type { Outcome } from '../../tms/contract.ts';

/**
 * What went wrong, for people. What a system or a connector says of it is never repeated, since guests and credentials
 * may be in it: a sentence is chosen from this list.
 */
export function problemSentence(outcome: Outcome<unknown>): string | null {
  switch (outcome.kind) {
    case 'ok':
      return null;
    case 'refused':
      return 'The system refuses it.';
    case 'rate-limited':
      return 'The system limits how often it is called.';
    case 'unavailable':
    case 'unknown':
      return sentenceFor(outcome.detail ?? '');
  }
}

/** The first that is found decides. */
const SIGNS: [RegExp, string][] = [
  [/given a rest/, 'The system has been failing and is given a rest.'],
  [/Too many calls/, 'Too many calls to the system are under way.'],
  [/within \d+ ms|deadline|time-?out|timed out|in time/i, 'The system did not answer in time.'],
  [/ECONNREFUSED|connection was refused|EHOSTUNREACH/, 'The connection was refused.'],
  [/ENOTFOUND|EAI_AGAIN|name of the system/, 'The name of the system cannot be found.'],
  [/ERR_TLS|certificate/i, 'The certificate of the system cannot be trusted.'],
  [/longer than|EXCEEDED_MAX_SIZE|too (?:large|long)/, 'The answer of the system was too long.'],
  [
    /ECONNRESET|UND_ERR_SOCKET|EPIPE|was cut|closed/,
    'The connection was cut before the answer was complete.',
  ],
  [
    /\bnot JSON|HPE_|not HTTP|could not be (?:read|understood)|was not an?\b/,
    'The answer of the system could not be read.',
  ],
];

function sentenceFor(detail: string): string {
  const status = /\b(?:status|answered|with)\b\D{0,12}([1-5]\d\d)\b/i.exec(detail)?.[1];
  if (status) return `The system answered with status ${status}.`;
  return SIGNS.find(([sign]) => sign.test(detail))?.[1] ?? 'The system could not be used.';
}
