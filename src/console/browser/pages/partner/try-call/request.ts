/** A call as it is sent, and as a line for the terminal. */
import { quoted } from '../first-calls.ts';
import type { Operation } from './operations.ts';

export interface Call {
  method: string;
  address: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Values that are empty are left out; a path needs all of its own. */
export function callOf(operation: Operation, values: Record<string, string>, body: string | undefined): Call {
  const given = operation.parameters
    .map(({ name, in: place }) => ({ name, place, value: values[name] ?? '' }))
    .filter(({ value }) => value !== '');
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    given.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]),
  ).toString();
  const headers = given.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value]);
  return {
    method: operation.method,
    address: query === '' ? path : `${path}?${query}`,
    headers: {
      ...Object.fromEntries(headers),
      ...(operation.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: operation.body === undefined ? undefined : body,
  };
}

/** The token stays in a variable of the terminal: what is copied may be sent to others. */
export function curlOf(origin: string, { method, address, headers, body }: Call): string {
  return [
    `curl -sS -i -X ${method} ${quoted(`${origin}${address}`)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
