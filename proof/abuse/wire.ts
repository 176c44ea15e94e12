/** Requests as bytes-to-be and answers as they came, whoever carries them. */
import { gunzipSync } from 'node:zlib';
import { Agent, Pool } from 'undici';
import type { Outcome } from '../../test/abuse/support/target.ts';

export interface WireRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export type Send = (request: WireRequest) => Promise<Outcome>;

/** For an answer that does not end by itself: it is read until it ends or the promise is settled. */
export type Open = (request: WireRequest, until: Promise<void>) => Promise<Outcome>;

export interface Wire {
  send: Send;
  open: Open;
  close(): Promise<void>;
}

/**
 * One connection for each request that may be under way. Each says that it comes from another address, which a node
 * behind a proxy believes: otherwise what limits guessing would answer most of them.
 */
export function connectTo(address: string, connections: number): Wire {
  const pool = new Pool(address, { connections, pipelining: 1 });
  const streams = new Agent({ pipelining: 1 });
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
      const bytes = await stream.bytes();
      // Some ask for it by chance.
      const isCompressed = answered['content-encoding'] === 'gzip' && bytes.length > 0;
      const text = (isCompressed ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
      return { status: statusCode, headers: answered, text };
    },
    async open({ method, path, headers }, until) {
      const answer = await streams.request({
        origin: address,
        method: method as 'GET',
        path,
        headers: { 'x-forwarded-for': nextAddress(), ...headers },
      });
      let text = '';
      until.then(() => answer.body.destroy());
      try {
        for await (const chunk of answer.body) text += chunk;
      } catch (error) {
        if ((error as Error).name !== 'AbortError') throw error;
      }
      return { status: answer.statusCode, headers: answer.headers, text };
    },
    async close() {
      await Promise.all([pool.close(), streams.destroy()]);
    },
  };
}

export const jsonBody = (value: unknown) => Buffer.from(JSON.stringify(value));
