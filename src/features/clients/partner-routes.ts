import { Type } from 'typebox';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { partnerId } from '../../http/validation/manage-fields.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import { PageOnly } from '../partners/service.ts';
import type { PartnerClients } from './partner-clients.ts';
import { clientExample, newSecretExample, secretExample } from './routes.ts';
import { Client, ClientSecrets, clientPath, NewClientSecret, NewSecretBody, secretPath } from './schema.ts';

const CLIENTS = '/manage/partners/:partnerId/clients';
const SECRETS = `${CLIENTS}/:clientId/secrets`;
const access = 'manage:developer';

const PartnerPath = Type.Object({ partnerId });
const ClientPath = Type.Object({ partnerId, ...clientPath.properties });
const SecretPath = Type.Object({ partnerId, ...secretPath.properties });

export function partnerClientRoutes(app: App, clients: PartnerClients): void {
  const routes = manageRoutes(app, 'Manage: partners');

  routes.list(CLIENTS, {
    access,
    operationId: 'listPartnerClients',
    summary: 'List the clients of a partner',
    description: 'The programs that call as this partner, by id. Agents that act for it are not among them.',
    params: PartnerPath,
    query: PageOnly,
    result: Page(Client),
    example: pageOf([clientExample], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ params, query }) => clients.list(params.partnerId, query),
  });

  routes.list(SECRETS, {
    access,
    operationId: 'listPartnerClientSecrets',
    summary: 'List the secrets of a partner’s client',
    description: 'When they were made and when they end; the secrets themselves are not kept.',
    params: ClientPath,
    result: ClientSecrets,
    example: { data: [secretExample] },
    problems: ['HTTP-N-404'],
    run: ({ params }) => clients.listSecrets(params),
  });

  routes.create(SECRETS, {
    access,
    operationId: 'createPartnerClientSecret',
    summary: 'Give a partner’s client another secret',
    description:
      'The answer is the only time it is shown. To rotate, say when the others end, and use the new one before that.',
    params: ClientPath,
    body: NewSecretBody,
    result: NewClientSecret,
    example: newSecretExample,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, body }) => clients.addSecret(actor, params, body),
  });

  routes.remove(`${SECRETS}/:secretId`, {
    access,
    operationId: 'deletePartnerClientSecret',
    summary: 'Delete a secret of a partner’s client',
    description: 'No token is given for it any more. Those that were given last until they expire.',
    params: SecretPath,
    problems: ['HTTP-N-404'],
    run: ({ actor, params, ifMatch }) => clients.removeSecret(actor, params, ifMatch),
  });
}
