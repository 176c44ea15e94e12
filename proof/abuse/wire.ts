/** Requests as bytes-to-be and answers as they came, whoever carries them. */
import { Pool } from 'undici';
import type { Outcome } from '../../test/abuse/support/target.ts';

export interface WireRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export type Send = (request: WireRequest) => Promise<Outcome>;

export interface Wire {
  send: Send;
  close(): Promise<void>;
}

/**
 * One connection for each request that may be under way. Each says that it comes from another address, which a node
 * behind a proxy believes: otherwise what limits guessing would answer most of them.
 */
export function connectTo(address: string, connections: number): Wire {
  const pool = new Pool(address, { connections, pipelining: 1 });
  let sent = 0;
  const nextAddress = () => {
    sent += 1;
    return `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
  };
  return {
    async send({ method, path, headers, body }) {
      const {
        statusCode,
        headers: answered,
        body: stream,
      } = await pool.request({
        method: method as 'GET',
        path,
        headers: { 'x-forwarded-for': nextAddress(), ...headers },
        body: body ?? null,
      });
      return { status: statusCode, headers: answered, text: await stream.text() };
    },
    close: () => pool.close(),
  };
}

export const jsonBody = (value: unknown) => Buffer.from(JSON.stringify(value));
