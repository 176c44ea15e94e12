/**
 * Public answers that are the same for every caller: pages, their scripts, the OpenAPI document. Each is one buffer that
 * all responses share, however many callers are slow to read it, and is compressed once for each coding.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncodedForms, encodingFor } from './compression.ts';
import { encodedEtag, etagOf, findKnownEtag } from './etag.ts';

/** Of a route that sends such an answer and is no part of the interface. */
export const PUBLIC_FILE = { config: { access: 'public', isCounted: true }, schema: { hide: true } } as const;

export interface PreparedFacts {
  contentType: string;
  cacheControl: string;
  /** `accept`: the same address has other forms. */
  vary?: 'accept';
  /** Such as a policy for the scripts of a page. */
  headers?: Record<string, string>;
}

export interface Prepared {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
  forms: EncodedForms;
}

export function prepare(content: string | Buffer, facts: PreparedFacts): Prepared {
  const body = Buffer.from(content);
  return {
    body,
    etag: etagOf(body, 'page'),
    headers: {
      ...facts.headers,
      'content-type': facts.contentType,
      'cache-control': facts.cacheControl,
      vary: facts.vary ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    },
    forms: new EncodedForms(body, 'static'),
  };
}

export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, headers, forms }: Prepared,
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding'], body.length);
  const known = findKnownEtag(request.headers['if-none-match'], etag, encoding);
  reply.headers(headers).header('etag', known ?? encodedEtag(etag, encoding));
  if (known !== undefined) return reply.removeHeader('content-type').code(304).send();
  if (encoding === undefined) return reply.send(body);
  const form = forms.find(encoding) ?? (await forms.make(encoding));
  return reply.header('content-encoding', encoding).send(form);
}
