import swagger from '@fastify/swagger';
import { PROGRAM_VERSION } from '../../kernel/version.ts';
import type { Scope } from '../auth/caller.ts';
import { SESSION_COOKIE } from '../auth/session-cookie.ts';
import { type Prepared, PUBLIC_FILE, prepare, sendPrepared } from '../format/static-answer.ts';
import type { App } from '../route.ts';
import type { JsonObject } from '../validation/schema-helpers.ts';
import { finishDocument, INTRODUCTION, MANAGE_INTRODUCTION } from './document.ts';
import { describeRoute } from './operation.ts';
import { factsOf } from './problems.ts';
import { partOf, shareComponents } from './sharing.ts';

/** Spares a tool that reads it several times in a row; a new version of the program is seen within minutes. */
const CACHE_CONTROL = 'public, max-age=300';

/** The chapters of the reference, in their order. */
const TAGS = [
  { name: 'Authentication', description: 'Access tokens, and the keys that verify them.' },
  { name: 'Venues', description: 'What you can book: venues, their products, spaces, menus and hours.' },
  { name: 'Availability', description: 'What can be had at this moment.' },
  { name: 'Booking rules', description: 'What operators demand of bookings, before you make them.' },
  { name: 'Bookings', description: 'Tables and tickets that are booked or asked for, and paying for them.' },
  {
    name: 'Holds',
    description: 'Places that are kept while a guest makes up their mind, on terms that stay.',
  },
  {
    name: 'Waiting list',
    description: 'Parties that wait where nothing is free, and what they are offered.',
  },
  {
    name: 'Listings',
    description: 'Venues and events side by side, and what several products have to offer.',
  },
  { name: 'Orders', description: 'Several bookings with one request.' },
  { name: 'MCP', description: 'The same for agents, as tools of the Model Context Protocol.' },
  { name: 'OCTO', description: 'Tables and tickets for partners who speak OCTO (https://docs.octo.travel).' },
  { name: 'Webhooks', description: 'Being told of what happens, instead of asking.' },
  { name: 'Request log', description: 'The calls that you have made, and how they were answered.' },
  { name: 'Problems', description: 'What refusals mean, and what to do about them.' },
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
    name: 'Manage: partners',
    description: 'For the people of a partner: colleagues, clients and secrets, rules, feeds.',
  },
  {
    name: 'Manage: venues',
    description: 'Venues and events, what can be booked there, and when they are open.',
  },
  {
    name: 'Manage: webhooks',
    description:
      'Where an operator is told of what happens at its venues, and a partner of what concerns it.',
  },
  { name: 'Manage: developers', description: 'What the developers of a partner look things up in.' },
  { name: 'Manage: closures', description: 'Times in which a venue, or some of its products, are closed.' },
  { name: 'Manage: layout', description: 'Zones, areas, tables and spaces, and what is spent in them.' },
  { name: 'Manage: media', description: 'Pictures of a venue.' },
  { name: 'Manage: availability rules', description: 'Times that are taken out of sale, and from whom.' },
  { name: 'Manage: booking rules', description: 'What bookings are asked to fulfil.' },
  {
    name: 'Manage: bookings',
    description: 'The daily work: taking, moving and following bookings, enquiries.',
  },
  { name: 'Manage: diary', description: 'A day of a venue at a glance, and a stream of what changes in it.' },
  { name: 'Manage: reports', description: 'What the days have brought.' },
  { name: 'Manage: audit', description: 'Who has changed what.' },
];

const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  'venue:read': 'Read venues, availability, categories, booking rules and FAQs',
  'listing:read': 'Read listings and the availability of several products at once',
  'venue-booking:create': 'Create bookings and orders',
  'venue-booking:read': 'Read bookings and orders',
  'venue-booking:update': 'Amend bookings and orders, and pay for them',
  'venue-booking:delete': 'Cancel bookings and orders',
  'partner:create': 'Manage webhook subscriptions, and read the request log',
  'agent:write': 'Act for a partner that allows it',
  'operator:write': 'Manage what belongs to your own venues',
  'platform:admin': 'Run the platform',
};

/** Of operators and the platform; all other callers are partners, or act for one. */
const MANAGE_SCOPES: readonly string[] = ['operator:write', 'platform:admin'] satisfies Scope[];

interface Operation {
  security?: Record<string, string[]>[];
}

function isManagement(path: string, { security = [] }: Operation): boolean {
  const scopes = security.flatMap((schemes) => Object.values(schemes).flat());
  return path.startsWith('/manage/') || scopes.some((scope) => MANAGE_SCOPES.includes(scope));
}

interface Part {
  /** Where it is served. */
  url: string;
  info: { title: string; summary: string; description: string };
  isIncluded: (path: string, operation: Operation) => boolean;
}

/** The document is served in two parts, because partners need a small piece of it. */
export const PARTS = {
  partners: {
    url: '/openapi.json',
    info: {
      title: 'Maitred',
      summary: 'Tables and tickets of many systems through one interface',
      description: INTRODUCTION,
    },
    isIncluded: (path, operation) => !isManagement(path, operation),
  },
  manage: {
    url: '/openapi.manage.json',
    info: {
      title: 'Maitred management',
      summary: 'Venues, people and rules, for operators and the platform',
      description: MANAGE_INTRODUCTION,
    },
    isIncluded: isManagement,
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof PARTS;

const clientCredentials = (description: string, scopes: [string, string][]) => ({
  type: 'oauth2' as const,
  description,
  flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: Object.fromEntries(scopes) } },
});

const SESSION = {
  type: 'http' as const,
  scheme: 'bearer',
  description: 'A person who has signed in with POST /manage/sessions',
};

const COOKIE = {
  type: 'apiKey' as const,
  in: 'cookie' as const,
  name: SESSION_COOKIE,
  description: 'The same in a browser that has signed in with `cookie`, from pages of this service',
};

function securitySchemesOf(part: PartName) {
  const scopes = Object.entries(SCOPE_DESCRIPTIONS).filter(
    ([scope]) => MANAGE_SCOPES.includes(scope) === (part === 'manage'),
  );
  return {
    Live: clientCredentials('Credentials of the live environment', scopes),
    Sandbox: clientCredentials('Credentials of the sandbox', scopes),
    ...(part === 'manage' ? { Session: SESSION, SessionCookie: COOKIE } : {}),
  };
}

/** What is published, once all routes are declared. */
export function openApiDocuments(app: App): Documents {
  const whole = shareComponents(app.swagger() as unknown as JsonObject);
  const draw = (name: PartName) => {
    const { info, isIncluded } = PARTS[name];
    const part = partOf(whole, isIncluded);
    const chapters = new Set(
      Object.values(part.paths as Record<string, Record<string, { tags: string[] }>>).flatMap((item) =>
        Object.values(item).flatMap(({ tags }) => tags),
      ),
    );
    return {
      ...part,
      info: { ...(part.info as JsonObject), ...info },
      tags: TAGS.filter((tag) => chapters.has(tag.name)),
      components: { ...(part.components as JsonObject), securitySchemes: securitySchemesOf(name) },
    };
  };
  return { partners: draw('partners'), manage: draw('manage') };
}

export type Documents = Record<PartName, JsonObject>;

/** Must be registered before the routes. What it gives back draws the documents, once all routes are declared. */
export async function installOpenApi(app: App): Promise<() => Documents> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Maitred',
        version: PROGRAM_VERSION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The server that this document comes from' }],
      tags: TAGS,
      components: { securitySchemes: securitySchemesOf('manage') },
    },
    transform: ({ schema, url, route }) => ({
      schema: schema?.hide ? schema : describeRoute(schema ?? {}, factsOf(route)),
      url,
    }),
    transformObject: (document) =>
      finishDocument(('openapiObject' in document ? document.openapiObject : {}) as JsonObject),
  });

  let drawn: Documents | undefined;
  const documents = () => {
    drawn ??= openApiDocuments(app);
    return drawn;
  };
  for (const name of Object.keys(PARTS) as PartName[])
    serveDocument(app, PARTS[name].url, () => documents()[name]);
  return documents;
}

/** A document that is public and drawn when the first caller asks for it. */
export function serveDocument(app: App, url: string, draw: () => JsonObject): void {
  let prepared: Prepared | undefined;
  app.get(url, PUBLIC_FILE, (request, reply) => {
    prepared ??= prepare(JSON.stringify(draw()), {
      contentType: 'application/json; charset=utf-8',
      cacheControl: CACHE_CONTROL,
    });
    return sendPrepared(request, reply, prepared);
  });
}
