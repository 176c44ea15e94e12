import type { Operator } from './operator-schema.ts';
import type { Credentials, System } from './system-schema.ts';

export const operatorExample: Operator = {
  id: 1,
  name: 'Lamplight Group',
  settings: {
    contactEmail: 'office@lamplight.example',
    bookingReplyTo: 'reservations@lamplight.example',
    defaultTimeZone: 'Europe/London',
  },
  createdAt: '2026-11-02T09:14:07.512Z',
};

export const systemExample: System = {
  tms: 'house',
  kind: 'built-in',
  capability: 'table_reservation',
  settings: {},
  hasCredentials: false,
};

export const credentialsExample: Credentials = {
  tms: 'tablebook',
  version: 1,
  fieldNames: ['apiKey', 'restaurantGroup'],
  createdAt: '2026-11-02T09:20:41.003Z',
  updatedAt: '2026-11-02T09:20:41.003Z',
};
