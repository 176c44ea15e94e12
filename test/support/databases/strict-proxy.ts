/**
 * A proxy that holds every call and its answer against an OpenAPI document, with a JSON Schema validator that is not
 * the one of the service. It notes each fault that it finds.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Parameter, type RawDocument, resolved, type Schema } from '../../../proof/abuse/document.ts';

type RawOperation = RawDocument['paths'][string][string];

interface Matched {
  name: string;
  operation: RawOperation;
  params: Record<string, string>;
}

interface Judge {
  find(method: string, path: string): Matched | undefined;
  faultsOfRequest(matched: Matched, request: Request): string[];
  faultsOfAnswer(matched: Matched, answer: Response, body: Buffer): string[];
}

/** What came in: headers have lower case names. */
interface Request {
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Buffer;
}

/** References lead to the components; for the validator these are definitions of one schema. */
const relocated = (value: unknown): Schema =>
  JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', 'maitred#/$defs/'));

const mediaTypeOf = (header: string | null | undefined) => (header ?? '').split(';')[0]?.trim() ?? '';

function judgeOf(document: RawDocument): Judge {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, coerceTypes: false });
  const reader = new Ajv2020({ strict: true, allowUnionTypes: true, coerceTypes: 'array' });
  for (const validator of [ajv, reader]) {
    addFormats.default(validator, ['date', 'date-time', 'email', 'uri', 'uuid', 'binary', 'password']);
    validator.addSchema({ $id: 'maitred', $defs: relocated(document.components.schemas) });
  }
  const compiled = new Map<string, ValidateFunction>();
  const faultsIn = (value: unknown, schema: Schema, what: string, by = ajv): string[] => {
    const key = `${by === ajv} ${JSON.stringify(schema)}`;
    const validate = compiled.getOrInsertComputed(key, () => by.compile(relocated(schema)));
    // The reader changes what it is given, so it is given it inside of something.
    return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`];
  };

  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    path,
    operations,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    variables: path.split('{').length,
  }));
  // A fixed segment wins over a variable one.
  routes.sort((a, b) => a.variables - b.variables);

  return {
    find(method, path) {
      for (const { operations, pattern, path: template } of routes) {
        const match = pattern.exec(path);
        const operation = operations[method.toLowerCase()];
        if (!match || !operation) continue;
        const params = Object.entries(match.groups ?? {}).map(([key, text]) => [
          key,
          decodeURIComponent(text),
        ]);
        return { name: `${method} ${template}`, operation, params: Object.fromEntries(params) };
      }
      return undefined;
    },

    faultsOfRequest({ operation, params }, { query, headers, body }) {
      const parameters = (operation.parameters ?? []).map((each): Parameter => resolved(document, each));
      const known = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
      const strangers = [...query.keys()].filter((name) => !known.includes(name));
      const faults = strangers.map((name) => `${name} is not a parameter`);
      for (const { in: place, name, required, schema } of parameters) {
        const found = { path: params[name], query: query.get(name), header: headers[name.toLowerCase()] };
        const text = found[place] ?? undefined;
        if (text === undefined) {
          if (required) faults.push(`${name} is missing`);
          continue;
        }
        const value = schema.type === 'array' ? text.split(',') : text;
        const wrapped = { type: 'object', properties: { value: schema } };
        faults.push(...faultsIn({ value }, wrapped, name, reader));
      }
      const media = operation.requestBody?.content[mediaTypeOf(headers['content-type'])];
      if (body.length > 0 && !media)
        faults.push(`a body of type ${headers['content-type']} is not described`);
      if (body.length === 0 || !media) return faults;
      const isForm = mediaTypeOf(headers['content-type']).endsWith('urlencoded');
      const sent = isForm ? Object.fromEntries(new URLSearchParams(String(body))) : JSON.parse(String(body));
      return [...faults, ...faultsIn(sent, media.schema, 'request')];
    },

    faultsOfAnswer({ operation }, answer, body) {
      const response = resolved(document, operation.responses[answer.status]);
      if (!response) return [`status ${answer.status} is not described`];
      if (body.length === 0) return response.content ? ['the answer has no body'] : [];
      const type = mediaTypeOf(answer.headers.get('content-type'));
      const media = response.content?.[type];
      if (!media) return [`${type} is not described for status ${answer.status}`];
      const value = type.endsWith('json') ? JSON.parse(String(body)) : String(body);
      return faultsIn(value, media.schema, `answer ${answer.status}`);
    },
  };
}

export interface StrictProxy {
  address: string;
  /** The operations that were called, in their order. */
  called: string[];
  faults: string[];
  close(): Promise<void>;
}

/** Headers that belong to one connection. */
const HOP_BY_HOP = ['host', 'connection', 'transfer-encoding', 'content-length', 'keep-alive'];

export async function startStrictProxy(target: string, documents: RawDocument[]): Promise<StrictProxy> {
  const judges = documents.map(judgeOf);
  const called: string[] = [];
  const faults: string[] = [];

  async function forward(incoming: IncomingMessage): Promise<{ answer: Response; body: Buffer }> {
    const { method = '', url = '' } = incoming;
    const sent = await buffer(incoming);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        value === undefined || HOP_BY_HOP.includes(name) ? [] : [[name, String(value)]],
      ),
    );
    const { pathname, searchParams } = new URL(url, target);
    const [found] = judges.flatMap((judge) => {
      const matched = judge.find(method, pathname);
      return matched ? [{ judge, matched }] : [];
    });
    const answer = await fetch(`${target}${url}`, {
      method,
      headers,
      ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (!found) {
      faults.push(`${method} ${pathname} is not described`);
      return { answer, body };
    }
    const { judge, matched } = found;
    called.push(matched.name);
    const seen = [
      ...judge.faultsOfRequest(matched, { query: searchParams, headers, body: sent }),
      ...judge.faultsOfAnswer(matched, answer, body),
    ];
    faults.push(...seen.map((fault) => `${matched.name}: ${fault}`));
    return { answer, body };
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming).then(
      ({ answer, body }) => {
        outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        outgoing.end(body);
      },
      (error) => {
        faults.push(String(error));
        outgoing.destroy();
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    called,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      assert.equal(server.listening, false);
    },
  };
}
