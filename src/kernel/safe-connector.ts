/**
 * Opens connections to what others run: receivers of webhooks, and systems. A name is resolved once for each connection, every address is checked, and only the
 * checked addresses are connected to: a later change of the name has no effect.
 */

import { Resolver } from 'node:dns/promises';
import net, { isIP, type LookupFunction } from 'node:net';
import tls from 'node:tls';
import type { buildConnector } from 'undici';
import { dialledHost, mayDial, type Reach } from './addresses.ts';
import { DEADLINES } from './deadlines.ts';

const DNS_LIMITS = { timeout: DEADLINES.dns, tries: 2 };

/** All addresses of a name; none when it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Coarse on purpose: a person that chooses the address must not learn what else is there. */
export type DialFailure = 'timeout' | 'refused' | 'dns' | 'tls';

export interface SafeConnectorOptions extends Reach {
  resolve?: Resolve;
  /** Trusted in place of the usual authorities. */
  ca?: string;
}

type Target = Pick<buildConnector.Options, 'protocol' | 'hostname' | 'port'>;

export interface SafeConnector {
  connect: buildConnector.connector;
  /** Gives up what is being dialled. */
  close(): void;
}

export function createSafeConnector(options: SafeConnectorOptions): SafeConnector {
  const underWay = new Set<AbortController>();
  return {
    connect(target, callback) {
      const call = new AbortController();
      underWay.add(call);
      const timer = setTimeout(() => call.abort(failure('timeout')), DEADLINES.dial);
      dial(target, options, call.signal)
        .finally(() => {
          clearTimeout(timer);
          underWay.delete(call);
        })
        .then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        );
    },
    close() {
      for (const call of underWay) call.abort(failure('refused'));
    },
  };
}

/** Why the address could not be connected to at this moment; undefined: it could. Nothing is dialled. */
export async function findObstacle(
  url: URL,
  options: SafeConnectorOptions,
): Promise<DialFailure | undefined> {
  const target = { protocol: url.protocol, hostname: dialledHost(url), port: url.port };
  return findAddresses(target, options).then(
    () => undefined,
    (error) => failureReason(error),
  );
}

/** Why dialling failed. */
export function failureReason(error: unknown): DialFailure {
  return isFailure(error) ? error.dialFailure : 'refused';
}

const failure = (dialFailure: DialFailure, cause?: unknown) =>
  Object.assign(new Error(`No connection could be made: ${dialFailure}.`, { cause }), { dialFailure });

const isFailure = (error: unknown): error is { dialFailure: DialFailure } =>
  error instanceof Error && 'dialFailure' in error;

async function dial(target: Target, options: SafeConnectorOptions, signal: AbortSignal): Promise<net.Socket> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  const addresses = await Promise.race([findAddresses(target, options), givenUp]);
  signal.throwIfAborted();
  return open(target, addresses, options, signal);
}

/** One that is not allowed spoils the others: an honest name has no reason to have both. */
async function findAddresses(
  { protocol, hostname }: Target,
  options: SafeConnectorOptions,
): Promise<string[]> {
  const { resolve = resolveName } = options;
  const answers = isIP(hostname) ? [hostname] : [...(await resolve(hostname).catch(() => []))];
  if (answers.length === 0) throw failure('dns');
  if (!answers.every((address) => mayDial(address, { ...options, protocol }))) throw failure('refused');
  return answers;
}

function open(
  { protocol, hostname, port }: Target,
  addresses: string[],
  options: SafeConnectorOptions,
  signal: AbortSignal,
): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<net.Socket>();
  const isSecure = protocol === 'https:';
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, _options, answer) => answer(null, answers);
  const place = {
    host: hostname,
    port: Number(port) || (isSecure ? 443 : 80),
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: DEADLINES.dialAddress,
    noDelay: true,
  };
  const socket = isSecure
    ? tls.connect({ ...place, ...securityOf(hostname, options.ca) })
    : net.connect(place);
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
    // Whatever stands between the answer and the wire: the other end counts.
    if (!mayDial(socket.remoteAddress ?? '', { ...options, protocol })) socket.destroy(failure('refused'));
    else if (!isSecure) resolve(socket);
  });
  socket.once('secureConnect', () => resolve(socket));
  // Stays for as long as the socket: an error without a listener would end the process.
  socket.on('error', (error) => {
    reject(isFailure(error) ? error : failure(isSecure && isConnected ? 'tls' : 'refused', error));
  });
  socket.once('close', () => reject(failure('refused')));
  signal.addEventListener('abort', () => socket.destroy(signal.reason));
  return promise;
}

function securityOf(hostname: string, ca: string | undefined): tls.ConnectionOptions {
  return {
    // Also where the environment says otherwise.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(hostname) ? {} : { servername: hostname }),
    ...(ca === undefined ? {} : { ca }),
  };
}

/**
 * Queries name servers itself. The system's lookup takes one of four threads that the whole process shares, and four
 * names without an answer would stop all deliveries.
 */
async function resolveName(hostname: string): Promise<string[]> {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  // A resolver knows the name servers of the moment it was made.
  const resolver = new Resolver(DNS_LIMITS);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
