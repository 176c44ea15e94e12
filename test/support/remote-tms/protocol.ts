/** The test system as a protocol that `CONNECTORS` names; a system of it is data then. */
import { Type } from 'typebox';
import { ok, refused } from '../../../src/tms/contract.ts';
import type { Protocol } from '../../../src/tms/remote.ts';
import { createRemote } from './connector.ts';

export const PROTOCOL_PATH = import.meta.filename;
export const RIGHT_KEY = 'open-sesame';

export const protocol: Protocol = {
  name: 'bistro',
  settings: Type.Object({
    baseUrl: Type.String({ minLength: 1, description: 'Where the system answers' }),
    zone: Type.String({ description: 'The time zone of its venues' }),
    isStrict: Type.Optional(Type.Boolean({ description: 'Whether accounts need credentials' })),
  }),
  accountSettings: Type.Object({
    group: Type.Optional(Type.Integer({ minimum: 1, description: 'The number of the group there' })),
    mirror: Type.Optional(Type.String({ description: 'Where the group has its own server' })),
  }),
  credentials: Type.Object({
    key: Type.String({ minLength: 4, description: 'From the settings page of the system' }),
    account: Type.Optional(Type.String({ description: 'The number of the account' })),
  }),
  connect({ slug, settings, fetch, findAccount }) {
    const { baseUrl, zone, isStrict } = settings as { baseUrl: string; zone: string; isStrict?: boolean };
    if (zone === 'nowhere') throw new Error('There is no such zone.');
    const remote = createRemote(baseUrl, slug, {}, fetch);
    return {
      ...remote,
      async availability(call, query) {
        const account = await findAccount(call.operatorId);
        if (isStrict && account?.credentials.key !== RIGHT_KEY) return refused('rejected');
        return remote.availability(call, query);
      },
      async checkAccount(call, { credentials }) {
        const found = await remote.find(call, 'nothing');
        if (found.kind !== 'ok') return found;
        return credentials.key === RIGHT_KEY ? ok(undefined) : refused('rejected');
      },
    };
  },
};
