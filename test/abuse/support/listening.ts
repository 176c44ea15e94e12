import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { recordSeenProblems, seenCode } from '../../support/seen-codes.ts';
import { answersIn, type Conversation, converse, sendRaw } from './socket.ts';
import { assertSound, type Outcome } from './target.ts';

export interface Listening {
  /** The header that identifies the demo partner. */
  authorization(): string;
  token(clientId: string): Promise<string>;
  send(bytes: string | Buffer): Promise<string>;
  converse(): Conversation;
  /** A request with the demo partner's token. */
  withToken(line: string, headers?: string[]): string;
  /** The one answer to these bytes, which must be sound. */
  answerTo(bytes: string | Buffer): Promise<Outcome>;
  assertAnswers(cases: Record<string, [bytes: string | Buffer, expected: number | string]>): Promise<void>;
}

/** A request that ends its connection, so that the whole answer has arrived when the server hangs up. */
export function request(line: string, headers: string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n');
}

/**
 * The application on a port of its own, for the tests of one file. After whatever each of them did to it, it
 * serves the next caller and has nothing to regret in its log.
 */
export function listening(): Listening {
  let maitred: TestApp;
  let port: number;
  let authorization: string;
  const log: unknown[] = [];
  before(async () => {
    maitred = await startTestApp({
      config: readConfig({ LOG_LEVEL: 'warn', RATE_LIMIT: '0' }),
      deps: { logStream: { write: (line) => void log.push(JSON.parse(line)) } },
      extend: recordSeenProblems,
    });
    await maitred.app.listen({ port: 0, host: '127.0.0.1' });
    port = (maitred.app.server.address() as AddressInfo).port;
    authorization = `Authorization: Bearer ${await maitred.token('demo-partner')}`;
  });
  after(() => maitred.close());
  afterEach(async () => {
    const [answer] = answersIn(await sendRaw(port, request('GET /health/live')));
    assert.equal(answer?.status, 200);
    assert.deepEqual(log, []);
  });

  async function answerTo(bytes: string | Buffer): Promise<Outcome> {
    const [answer, ...others] = answersIn(await sendRaw(port, bytes));
    assert.ok(answer && others.length === 0, 'one answer was expected');
    assertSound(answer);
    return answer;
  }

  return {
    authorization: () => authorization,
    token: (clientId) => maitred.token(clientId),
    send: (bytes) => sendRaw(port, bytes),
    converse: () => converse(port),
    withToken: (line, headers = []) => request(line, [authorization, ...headers]),
    answerTo,
    async assertAnswers(cases) {
      for (const [what, [bytes, expected]] of Object.entries(cases)) {
        const { status, headers, text } = await answerTo(bytes).catch((error) =>
          assert.fail(`${what}: ${error.message}`),
        );
        // What no parser accepts never comes to the hooks of the application.
        seenCode({ headers, body: text });
        const found = typeof expected === 'number' ? status : JSON.parse(text).code;
        assert.equal(found, expected, `${what}: ${status} ${text.slice(0, 300)}`);
      }
    },
  };
}
