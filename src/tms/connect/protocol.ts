import type { Protocol } from '../remote.ts';
import { createConnector } from './connector.ts';
import { AccountCredentials, AccountSettings, SystemSettings } from './schema.ts';

/** Our open protocol for makers of table systems. */
export const protocol: Protocol = {
  name: 'connect',
  settings: SystemSettings,
  accountSettings: AccountSettings,
  credentials: AccountCredentials,
  connect: createConnector,
};
