import type { TObject } from 'typebox';
import { callerOf } from '../../http/auth/identify.ts';
import { formatOf, sendLive } from '../../http/format/render.ts';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import {
  Mandate,
  MandateBody,
  MandatePath,
  mandateExample,
  OwnMandate,
  ownMandateExample,
  PartnerMandatePath,
} from './schema.ts';
import type { ClientOf, Mandates } from './service.ts';

export function mandateRoutes(app: App, mandates: Mandates): void {
  app.get(
    '/mandate',
    {
      config: { access: 'venue-booking:read', isLive: true, example: ownMandateExample },
      schema: {
        operationId: 'getOwnMandate',
        tags: ['Bookings'],
        summary: 'Read what you may do',
        description:
          'The mandate of the calling client, and how much of it is left at this moment. Beyond it, requests are refused with `MANDT-N-001`, or a person has to confirm them (`MANDT-N-002`). Cancelling is always allowed.',
        response: { 200: OwnMandate },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      sendLive(reply, await mandates.own(callerOf(request)), format);
    },
  );
}

/** The same for the platform, and for partners with their own clients. */
export function manageMandateRoutes(app: App, mandates: Mandates): void {
  manageMandates(app, mandates, {
    url: '/manage/clients/:clientId/mandate',
    tag: 'Manage: platform',
    access: 'manage:platform',
    names: { get: 'getMandate', put: 'replaceMandate', remove: 'deleteMandate' },
    params: MandatePath,
  });
  manageMandates(app, mandates, {
    url: '/manage/partners/:partnerId/clients/:clientId/mandate',
    tag: 'Manage: partners',
    access: 'manage:developer',
    names: { get: 'getPartnerMandate', put: 'replacePartnerMandate', remove: 'deletePartnerMandate' },
    params: PartnerMandatePath,
  });
}

interface Side {
  url: string;
  tag: string;
  access: 'manage:platform' | 'manage:developer';
  names: { get: string; put: string; remove: string };
  params: TObject;
}

function manageMandates(app: App, mandates: Mandates, { url, tag, access, names, params }: Side): void {
  const routes = manageRoutes(app, tag);
  const problems = ['HTTP-N-404'] as const;
  const clientOf = (named: unknown) => named as ClientOf;

  routes.get(url, {
    ...{ access, params, problems },
    operationId: names.get,
    summary: 'Read the mandate of a client',
    description: 'What it may do at most on behalf of others; 404 where nothing is limited.',
    result: Mandate,
    example: mandateExample,
    run: (call) => mandates.get(clientOf(call.params)),
  });

  routes.put(url, {
    ...{ access, params, problems },
    operationId: names.put,
    summary: 'Give a client a mandate',
    description:
      'Takes the place of the one that it has. Holds at once, for everything that it books, holds, changes or pays from now on; bookings that it has made stay. For clients of partners and for agents.',
    body: MandateBody,
    result: Mandate,
    example: mandateExample,
    run: ({ actor, body, ifMatch, ...call }) => mandates.put(actor, clientOf(call.params), body, ifMatch),
  });

  routes.remove(url, {
    ...{ access, params, problems },
    operationId: names.remove,
    summary: 'Take the mandate of a client away',
    description: 'From then on nothing is limited. To stop a client, switch it off instead.',
    run: ({ actor, ifMatch, ...call }) => mandates.remove(actor, clientOf(call.params), ifMatch),
  });
}
