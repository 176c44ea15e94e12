import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { PartnerSummary } from '../../http/validation/manage-fields.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import { PageOnly, partnerSummaryExample } from '../partners/service.ts';
import type { ClientAccess } from './access.ts';
import type { Clients } from './clients.ts';
import {
  AllowedPartner,
  allowedPartnerPath,
  Client,
  ClientChange,
  ClientQuery,
  type ClientSecret,
  ClientSecrets,
  ClientWithSecret,
  clientPath,
  NewClientBody,
  NewClientSecret,
  NewSecretBody,
  secretPath,
} from './schema.ts';

const CLIENT = '/manage/clients/:clientId';
const access = 'manage:platform';

export function clientRoutes(app: App, clients: Clients): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list('/manage/clients', {
    access,
    operationId: 'listClients',
    summary: 'List clients',
    description: 'The programs that call this service, by id.',
    query: ClientQuery,
    result: Page(Client),
    example: pageOf([clientExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['OPRTR-N-001'],
    run: ({ query }) => clients.list(query),
  });

  routes.create('/manage/clients', {
    access,
    operationId: 'createClient',
    summary: 'Add a client',
    description:
      'The answer has its first secret, which is never shown again. Ids of deleted clients stay taken.',
    body: NewClientBody,
    result: ClientWithSecret,
    example: newClientExample,
    problems: ['PMAP-N-004', 'OPRTR-N-001'],
    run: ({ actor, body }) => clients.create(actor, body),
  });

  routes.get(CLIENT, {
    access,
    operationId: 'getClient',
    summary: 'Read a client',
    description: 'Whose it is and what it may do.',
    params: clientPath,
    result: Client,
    example: clientExample,
    problems: ['HTTP-N-404'],
    run: ({ params }) => clients.get(params.clientId),
  });

  routes.put(CLIENT, {
    access,
    operationId: 'replaceClient',
    summary: 'Switch a client on or off, or change what it may do',
    description:
      'Takes effect at once, also for tokens that the client has. A client cannot switch itself off.',
    params: clientPath,
    body: ClientChange,
    result: Client,
    example: clientExample,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, body, ifMatch }) => clients.change(actor, params.clientId, body, ifMatch),
  });

  routes.remove(CLIENT, {
    access,
    operationId: 'deleteClient',
    summary: 'Delete a client',
    description: 'Its tokens stop working at once. A client cannot delete itself.',
    params: clientPath,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, ifMatch }) => clients.remove(actor, params.clientId, ifMatch),
  });
}

export function clientAccessRoutes(app: App, clients: ClientAccess): void {
  const routes = manageRoutes(app, 'Manage: platform');

  routes.list(`${CLIENT}/secrets`, {
    access,
    operationId: 'listClientSecrets',
    summary: 'List the secrets of a client',
    description: 'When they were made and when they end; the secrets themselves are not kept.',
    params: clientPath,
    result: ClientSecrets,
    example: { data: [secretExample] },
    problems: ['HTTP-N-404'],
    run: ({ params }) => clients.listSecrets(params.clientId),
  });

  routes.create(`${CLIENT}/secrets`, {
    access,
    operationId: 'createClientSecret',
    summary: 'Give a client another secret',
    description:
      'Those that it has stay valid, or end after `othersExpireInSeconds`, so that it can move from one to the next. ' +
      'At most 20.',
    params: clientPath,
    body: NewSecretBody,
    result: NewClientSecret,
    example: newSecretExample,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, body }) => clients.addSecret(actor, params.clientId, body),
  });

  routes.remove(`${CLIENT}/secrets/:secretId`, {
    access,
    operationId: 'deleteClientSecret',
    summary: 'Delete a secret of a client',
    description: 'No token is given for it any more. Those that were given last until they expire.',
    params: secretPath,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, ifMatch }) =>
      clients.removeSecret(actor, params.clientId, params.secretId, ifMatch),
  });

  routes.list(`${CLIENT}/partners`, {
    access,
    operationId: 'listAllowedPartners',
    summary: 'List the partners that an agent may act for',
    description: 'By name; empty for clients that are no agents.',
    params: clientPath,
    query: PageOnly,
    result: Page(PartnerSummary),
    example: pageOf([partnerSummaryExample], 1, { pageNumber: 1, pageSize: 20 }),
    problems: ['HTTP-N-404'],
    run: ({ params, query }) => clients.listPartners(params.clientId, query),
  });

  routes.create(`${CLIENT}/partners`, {
    access,
    operationId: 'allowPartner',
    summary: 'Let an agent act for a partner',
    description: 'It then names the partner in `X-Partner-Reference`.',
    params: clientPath,
    body: AllowedPartner,
    result: PartnerSummary,
    example: partnerSummaryExample,
    problems: ['HTTP-N-404', 'PMAP-N-004', 'IDENT-N-004'],
    run: ({ actor, params, body }) => clients.allowPartner(actor, params.clientId, body.partnerId),
  });

  routes.remove(`${CLIENT}/partners/:partnerId`, {
    access,
    operationId: 'disallowPartner',
    summary: 'No longer let an agent act for a partner',
    description: 'Holds at once.',
    params: allowedPartnerPath,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, ifMatch }) =>
      clients.disallowPartner(actor, params.clientId, params.partnerId, ifMatch),
  });
}

export const clientExample: Client = {
  id: 'city-guide-app',
  kind: 'partner',
  partnerId: 3,
  operatorId: null,
  scopes: ['venue:read', 'venue-booking:create', 'venue-booking:read'],
  isActive: true,
  hasMandate: false,
  createdAt: '2026-11-02T09:40:18.906Z',
};

const secretId = '5a9c9a0e-0f0b-4b2e-9b1a-0a6a2f7f3f11';

const secret = 'Zk3v0m1Qp7cVt2yLxA8uR5nWbE9sJdHfG4iKoTqYzM0';

const newClientExample: ClientWithSecret = { ...clientExample, secretId, secret };

export const secretExample: ClientSecret = {
  id: secretId,
  createdAt: '2026-11-02T09:40:18.906Z',
  expiresAt: null,
};

export const newSecretExample: NewClientSecret = { secretId, secret, expiresAt: null };
