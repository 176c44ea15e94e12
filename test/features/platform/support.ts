import assert from 'node:assert/strict';
import type { Answer, CallOptions, TestApp } from '../../support/app.ts';

/** Calls of those who run the platform. */
export interface Desk {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  remove(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export function deskOf(maitred: () => TestApp, as = 'demo-admin'): Desk {
  const call = (path: string, options: CallOptions) => maitred().call(path, { as, ...options });
  return {
    get: (path) => call(path, {}),
    post: (path, body, headers = {}) => call(path, { method: 'POST', body, headers }),
    put: (path, body, headers = {}) => call(path, { method: 'PUT', body, headers }),
    remove: (path, headers = {}) => call(path, { method: 'DELETE', headers }),
  };
}

/** The body of an answer with this status. */
export function bodyOf(answer: Answer, status = 200) {
  assert.equal(answer.status, status, answer.text);
  return answer.json;
}

/** The latest entry of the audit log about something. */
export async function lastEntry(desk: Desk, subject: string) {
  const page = bodyOf(await desk.get(`/manage/audit?pageSize=1&subject=${encodeURIComponent(subject)}`));
  assert.equal(page.data.length, 1, `nothing was written down about ${subject}`);
  return page.data[0];
}

/** A header for what was read of an address. */
export async function tagOf(desk: Desk, path: string): Promise<{ 'if-match': string }> {
  const answer = await desk.get(path);
  assert.equal(answer.status, 200, answer.text);
  return { 'if-match': String(answer.headers.etag) };
}

export const idIn = (text: string) => encodeURIComponent(text);

let made = 0;
/** A name that no other thing has, and that is like no other. */
export function newName(): string {
  made += 1;
  const letters = [...String(made)].map((digit) => 'qwzxvkjypf'[Number(digit)]?.repeat(3)).join('');
  return `${letters} ${made} ${letters}`;
}

export async function newPartner(desk: Desk, more: object = {}): Promise<number> {
  const name = newName();
  const body = { reference: `partner-${name.replaceAll(' ', '-')}`, name, allowSimilarName: true, ...more };
  return bodyOf(await desk.post('/manage/partners', body), 201).id;
}

export async function newOperator(desk: Desk): Promise<number> {
  return bodyOf(await desk.post('/manage/operators', { name: newName() }), 201).id;
}
