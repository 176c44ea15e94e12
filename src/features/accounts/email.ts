import { hash } from 'node:crypto';
import { problem } from '../../kernel/problem.ts';

const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Words with dots between them, on both sides; the right side has at least two. */
const ADDRESS =
  /^(?<local>[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{2,63}$/u;

export function assertEmail(email: string): void {
  const local = email.length <= MAX_LENGTH ? ADDRESS.exec(email)?.groups?.local : undefined;
  if (local !== undefined && local.length <= MAX_LOCAL_LENGTH) return;
  throw problem('USER-N-011', { detail: 'email must be an address such as ada@example.com.' });
}

/** Two addresses with the same key are the same person's: nobody tells capitals apart. */
export function emailKeyOf(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** Of an address that need not be one; as long for any text. */
export function emailHashOf(emailKey: string): Buffer {
  return hash('sha256', emailKey, 'buffer');
}

/** Of an address and the network of the caller. A network has no line break in it. */
export function pairHashOf(emailKey: string, network: string): Buffer {
  return hash('sha256', `${network}\n${emailKey}`, 'buffer');
}
