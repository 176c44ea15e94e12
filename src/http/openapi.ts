import swagger from '@fastify/swagger';
import { SCOPES, type Scope } from './caller.ts';
import type { JsonObject } from './json-schema.ts';
import { finishDocument } from './openapi-document.ts';
import { INTRODUCTION } from './openapi-introduction.ts';
import { describeRoute } from './openapi-operation.ts';
import { type Rendered, render, sendRendered } from './render.ts';
import type { App, RouteFacts } from './route.ts';

/** Of the interface, which is older than this program and numbered apart from it. */
const INTERFACE_VERSION = '7.3.0';

/** The chapters of the reference, in their order. */
const TAGS = [
  { name: 'Authentication', description: 'Access tokens, and the keys that verify them.' },
  { name: 'Venues', description: 'What you can book: venues, their products, spaces, menus and hours.' },
  { name: 'Availability', description: 'What can be had at this moment.' },
  { name: 'Booking rules', description: 'What operators demand of bookings, before you make them.' },
  { name: 'Bookings', description: 'Tables and tickets that are booked or asked for, and paying for them.' },
  {
    name: 'Listings',
    description: 'Venues and events side by side, and what several products have to offer.',
  },
  { name: 'Orders', description: 'Several bookings with one request.' },
  { name: 'Webhooks', description: 'Being told of what happens, instead of asking.' },
  { name: 'Site FAQs', description: 'Questions and answers that operators keep for their venues.' },
  {
    name: 'Manage: platform',
    description: 'Operators and their systems, partners, what they may distribute, and the clients of both.',
  },
  {
    name: 'Manage: import and export',
    description: 'One operator as one document: how a platform moves in, and how an operator moves on.',
  },
  { name: 'Manage: users', description: 'People: invites, signing in, roles.' },
  {
    name: 'Manage: venues',
    description: 'Venues and events, what can be booked there, and when they are open.',
  },
  { name: 'Manage: layout', description: 'Zones, areas, tables and spaces, and what is spent in them.' },
  { name: 'Manage: media', description: 'Pictures of a venue.' },
  { name: 'Manage: availability rules', description: 'Times that are taken out of sale, and from whom.' },
  { name: 'Manage: booking rules', description: 'What bookings are asked to fulfil.' },
  { name: 'Manage: bookings', description: 'The daily work: enquiries, messages, visits.' },
  { name: 'Manage: audit', description: 'Who has changed what.' },
];

const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  'venue:read': 'Read venues, availability, categories, booking rules and FAQs',
  'listing:read': 'Read listings and the availability of several products at once',
  'venue-booking:create': 'Create bookings and orders',
  'venue-booking:read': 'Read bookings and orders',
  'venue-booking:update': 'Amend bookings and orders, and pay for them',
  'venue-booking:delete': 'Cancel bookings and orders',
  'partner:create': 'Manage webhook subscriptions',
  'agent:write': 'Act for a partner that allows it',
  'operator:write': 'Manage what belongs to your own venues',
  'platform:admin': 'Run the platform',
};

const clientCredentials = (description: string) => ({
  type: 'oauth2' as const,
  description,
  flows: {
    clientCredentials: {
      tokenUrl: '/oauth/token',
      scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_DESCRIPTIONS[scope]])),
    },
  },
});

/** Must be registered before the routes. The document is then at `app.swagger()`, and served at `/openapi.json`. */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Maitred',
        version: INTERFACE_VERSION,
        summary: 'Tables and tickets of many systems through one interface',
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The server that this document comes from' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          Live: clientCredentials('Credentials of the live environment'),
          Sandbox: clientCredentials('Credentials of the sandbox'),
          Session: {
            type: 'http',
            scheme: 'bearer',
            description: 'A person who has signed in with POST /manage/sessions',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: schema?.hide ? schema : describeRoute(schema ?? {}, (route.config ?? {}) as RouteFacts),
      url,
    }),
    transformObject: (document) =>
      finishDocument(('openapiObject' in document ? document.openapiObject : {}) as JsonObject),
  });

  let rendered: Rendered | undefined;
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    rendered ??= render(app.swagger(), 'json');
    return sendRendered(request, reply, rendered);
  });
}
