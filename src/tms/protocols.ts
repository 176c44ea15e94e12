/** The protocols that systems can speak: each is a folder here with a `protocol.ts`, or is named in `CONNECTORS`. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reasonOf, StartError } from '../kernel/problem.ts';
import type { Protocol } from './remote.ts';

export type Protocols = ReadonlyMap<string, Protocol>;

/** By name. Rejects with a sentence for the person who starts the node. */
export async function loadProtocols(connectors: readonly string[]): Promise<Protocols> {
  const found = new Map<string, Protocol>();
  const add = (source: string, protocol: Protocol) => {
    if (found.has(protocol.name))
      throw new StartError(`${source} brings the protocol "${protocol.name}", which is there already.`);
    found.set(protocol.name, protocol);
  };
  for (const file of ownProtocols()) add(file, await load(file, pathToFileURL(file).href));
  for (const connector of connectors) {
    const source = `CONNECTORS names ${connector}, which`;
    add(source, await load(source, specifierOf(connector)));
  }
  return found;
}

function ownProtocols(): string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(import.meta.dirname, name, 'protocol.ts'))
    .filter((file) => existsSync(file))
    .sort();
}

/** What begins with a dot or a slash is a path, from where the node was started; all else is a package. */
const specifierOf = (connector: string): string =>
  /^\.{0,2}\//.test(connector) ? pathToFileURL(resolve(connector)).href : connector;

async function load(source: string, specifier: string): Promise<Protocol> {
  let loaded: { protocol?: unknown };
  try {
    loaded = await import(specifier);
  } catch (error) {
    throw new StartError(`${source} cannot be loaded: ${reasonOf(error).split('\n')[0]}`, { cause: error });
  }
  if (isProtocol(loaded.protocol)) return loaded.protocol;
  throw new StartError(
    `${source} exports no "protocol" with name, settings, accountSettings, credentials and connect.`,
  );
}

function isProtocol(value: unknown): value is Protocol {
  if (typeof value !== 'object' || value === null) return false;
  const { name, settings, accountSettings, credentials, connect } = value as Partial<Protocol>;
  return (
    typeof name === 'string' &&
    /^[a-z0-9][a-z0-9-]{0,49}$/.test(name) &&
    [settings, accountSettings, credentials].every((schema) => schema?.type === 'object') &&
    typeof connect === 'function'
  );
}
