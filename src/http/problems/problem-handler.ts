import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SILENT } from '../../db/driver.ts';
import { codeOf, type Problem, problem } from '../../kernel/problem.ts';
import { NOT_WANTED } from '../../kernel/request-scope.ts';
import { sendOnce } from '../format/render.ts';
import { sendPage } from '../pages/frame.ts';
import {
  isAnsweredEarly,
  logAnswer,
  oversizeOf,
  pendingAnswer,
  securityHeaders,
} from '../request-hygiene.ts';
import type { App } from '../route.ts';
import { asProblem, problemOfMalformedHttp, refusalOf } from './framework-errors.ts';
import { interfaceOf, problemFormOf } from './method-not-allowed.ts';
import { PROBLEM_MEDIA_TYPE, problemBody, problemHeaders } from './problem-body.ts';
import { refusalPage } from './problem-pages.ts';

const asIs = (payload: unknown) => payload as string;

/** What a handler may have said about the answer it then failed to give. */
const HEADERS_OF_THE_LOST_ANSWER = [
  'etag',
  'last-modified',
  'content-encoding',
  'content-disposition',
  'location',
];

function sendProblem(
  refusal: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): void {
  const { status, body, type, headers } = written(refusal, request, publicUrl);
  for (const name of HEADERS_OF_THE_LOST_ANSWER) reply.removeHeader(name);
  // Fastify ends the connection after a body that it did not take. A caller who is still sending would see that in place
  // of the refusal; Node reads the rest and drops it.
  // Where the node stops, it has said so on the response itself.
  if (reply.hasHeader('connection') && !reply.raw.hasHeader('connection') && reply.raw.shouldKeepAlive)
    reply.header('connection', 'keep-alive');
  reply.problemCode = refusal.code;
  if (isNavigation(request)) {
    reply.code(status).headers(problemHeaders(refusal)).serializer(asIs);
    return void sendPage(reply, refusalPage(refusal, request.url));
  }
  reply
    .code(status)
    .headers({ ...problemHeaders(refusal), ...headers })
    .type(type)
    // Problems are JSON whatever format was requested, and no response schema may drop their members.
    .serializer(asIs);
  sendOnce(reply, JSON.stringify(body));
}

/** A person has followed a link or typed an address: the answer is what they will read. */
const isNavigation = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate';

function written(refusal: Problem, request: FastifyRequest, publicUrl: string) {
  const form = problemFormOf(request);
  if (form) return { headers: {}, ...form.write(refusal, request.body), type: JSON_MEDIA_TYPE };
  const body = problemBody(refusal, { publicUrl, interface: interfaceOf(request) });
  return { status: body.status, body, type: PROBLEM_MEDIA_TYPE, headers: {} };
}

const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** Logged once, when the database stops answering or the caller disconnects, and not by each affected request. */
const KNOWN_CAUSES = new Set([SILENT, NOT_WANTED]);

export function logFailure(refusal: Problem, request: FastifyRequest): void {
  const { cause } = refusal.options;
  // Without a cause it is one that a caller of the sandbox asked for.
  if (refusal.code === 'HTTP-R-500' && cause !== undefined) {
    request.log.error({ err: cause, req: request }, 'unforeseen error');
  } else if (cause !== undefined && !KNOWN_CAUSES.has(codeOf(cause) ?? '')) {
    request.log.warn({ err: cause, req: request, code: refusal.code }, 'problem with a cause');
  }
}

/** From here on every failure is answered as a problem of the catalogue. */
export function installProblems(app: App, options: { publicUrl: string }): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request);
    logFailure(refusal, request);
    sendProblem(refusal, request, reply, options.publicUrl);
  });
  app.setNotFoundHandler((_request, _reply) => {
    throw problem('HTTP-N-404');
  });
}

/** For addresses the router cannot read. No hook runs on this way, hence the headers and the log line here. */
export function frameworkErrors(publicUrl: string) {
  const headers = securityHeaders(publicUrl);
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = oversizeOf(request.raw) ?? asProblem(error);
    reply.headers(headers).header('x-correlation-id', request.id);
    logFailure(refusal, request);
    sendProblem(refusal, request, reply, publicUrl);
    logAnswer(request, reply);
  };
}

/** For what is not even HTTP: there is no request and no reply, only the socket. */
export function clientErrorHandler(publicUrl: string) {
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnsweredEarly(socket)) {
      socket.destroy();
      return;
    }
    const pending = pendingAnswer(socket);
    if (pending) {
      // What is malformed follows a whole request. That one is carried out, so it gets its own answer, as the last.
      if (pending.shouldKeepAlive) pending.once('finish', () => socket.destroySoon());
      pending.shouldKeepAlive = false;
      return;
    }
    const refusal = problemOfMalformedHttp(error);
    const body = JSON.stringify(problemBody(refusal, { publicUrl }));
    const headers = {
      ...securityHeaders(publicUrl),
      ...problemHeaders(refusal),
      'x-correlation-id': randomUUID(),
      'content-type': PROBLEM_MEDIA_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`,
    );
    // Ended alone, the connection would stay half open for as long as the other side likes.
    socket.destroySoon();
  };
}
