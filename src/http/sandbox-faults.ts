/**
 * `X-Sandbox-Fault`: failures on request, for those who build against the sandbox. What concerns systems and webhooks
 * is met by their code, through the scope of the request; what concerns the answer is met here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Config } from '../config.ts';
import { silentError } from '../db/driver.ts';
import { invalid, type Problem } from '../kernel/problem.ts';
import {
  type Fault,
  faultText,
  readSandboxFaults,
  SANDBOX_FAULT,
  SandboxFaults,
} from '../kernel/sandbox-faults.ts';
import { documentedCodes } from './openapi/problems.ts';
import { sampleProblem } from './problems/problem-body.ts';
import type { App } from './route.ts';

const HEADER = SANDBOX_FAULT.toLowerCase();

/** To be installed after identification: only partners and their agents may ask for faults. */
export function installSandboxFaults(app: App, { environment }: Pick<Config, 'environment'>): Counter {
  const counter = new Counter({
    name: 'sandbox_faults_total',
    help: 'Faults that callers have asked for and met, by what failed and how.',
    labelNames: ['subject', 'fault'],
    registers: [],
  });
  if (environment === 'sandbox') installFaults(app, counter);
  else refuseFaults(app);
  return counter;
}

/** What is meant as a test must not be taken for a booking. */
function refuseFaults(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers[HEADER] === undefined) done();
    else done(invalid(SANDBOX_FAULT, 'is for the sandbox alone; here nothing was done'));
  });
}

function installFaults(app: App, counter: Counter): void {
  const count = ({ subject, name }: Fault) => counter.inc({ subject, fault: name });

  app.addHook('onRequest', (request, reply, done) => {
    const text = request.headers[HEADER];
    // Tokens, pages and files are no calls of a partner.
    if (text === undefined || (request.caller === null && request.actor === null)) return done();
    if (!request.caller || !('partner' in request.caller))
      throw invalid(SANDBOX_FAULT, 'is for partners and their agents');
    const { faults: asked, answer } = readSandboxFaults(String(text));
    const faults = new SandboxFaults(asked);
    if (answer !== undefined) {
      const refusal = answerOf(request, answer);
      reply.header(HEADER, `answer=${refusal.code}`);
      counter.inc({ subject: 'answer', fault: refusal.code });
      throw refusal;
    }
    const cut = asked.find(({ name }) => name === 'cut-before');
    if (cut) {
      count(cut);
      request.raw.socket.destroy();
      return;
    }
    if (request.scope) request.scope.faults = faults;
    done();
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const { scope } = request;
    const faults = scope?.faults;
    if (!scope || !faults) return done(null, payload);
    // An error of this hook is sent through it again.
    scope.faults = undefined;
    const isCut = faults.meet('connection') !== undefined;
    for (const fault of faults.met) count(fault);
    if (faults.met.size > 0) reply.header(HEADER, [...faults.met].map(faultText).join(', '));
    const finish = () => {
      if (isCut) request.raw.socket.destroy();
      // As when the database is lost between a commit and its acknowledgement.
      else if (faults.isAnswerLost && isDone(reply)) done(silentError());
      else done(null, payload);
    };
    if (faults.answerDelayMs === 0) return finish();
    // Nothing else ends the request while its answer waits.
    scope.pause();
    const leftMs = scope.leftMs();
    const isInTime = faults.answerDelayMs < leftMs;
    faults.answered = sleep(Math.min(faults.answerDelayMs, leftMs)).then(() =>
      isInTime ? finish() : done(scope.tooLate()),
    );
  });

  // Fastify answers for a handler that ends before anything is sent, so handlers end after an answer that waits.
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function handle(request, reply) {
      const faults = request.scope?.faults;
      const result = handler.call(this, request, reply);
      if (!faults || !(result instanceof Promise)) return result;
      return result.then(async (value) => {
        await faults.answered;
        return value;
      });
    };
  });
}

const isDone = ({ statusCode }: FastifyReply) => statusCode < 300;

/** A refusal of this route as the reference shows it. */
function answerOf({ routeOptions }: FastifyRequest, asked: string): Problem {
  const { schema = {}, ...route } = routeOptions;
  const codes = documentedCodes(schema, route);
  const code = codes.find((each) => each === asked);
  if (!code) throw invalid(SANDBOX_FAULT, `can ask this route for the answers ${codes.join(', ')}`);
  return sampleProblem(code, 'partySize', 'must be at least 1');
}
