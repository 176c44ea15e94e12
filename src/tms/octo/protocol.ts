import { Type } from 'typebox';
import type { Protocol } from '../remote.ts';
import { createOcto } from './connector.ts';

const UNITS = {
  adultUnit: Type.Optional(
    Type.String({
      title: 'Unit for adults',
      maxLength: 200,
      description: 'The id of the unit for adults. Without it, the first unit of the type ADULT.',
    }),
  ),
  childUnit: Type.Optional(
    Type.String({
      title: 'Unit for children',
      maxLength: 200,
      description:
        'The id of the unit for children. Without it, the first unit of the type CHILD, else that for adults.',
    }),
  ),
};

/** Suppliers of tickets and tours. */
export const protocol: Protocol = {
  name: 'octo',
  settings: Type.Object(
    {
      url: Type.String({
        title: 'Address',
        pattern: '^https?://',
        maxLength: 500,
        description: 'Where the supplier offers OCTO, such as https://api.example.com/octo.',
      }),
      capabilities: Type.Optional(
        Type.String({
          title: 'Capabilities',
          pattern: '^[A-Za-z0-9/_, -]*$',
          maxLength: 200,
          description: 'Sent as Octo-Capabilities, with commas. Without it: octo/content,octo/pricing.',
        }),
      ),
      ...UNITS,
    },
    { additionalProperties: false },
  ),
  accountSettings: Type.Object(
    {
      supplierId: Type.Optional(
        Type.String({
          title: 'Supplier',
          maxLength: 100,
          description: 'The id of the supplier; a key that belongs to another one is refused.',
        }),
      ),
      timeZone: Type.Optional(
        Type.String({
          title: 'Time zone',
          maxLength: 100,
          description:
            'The time zone of the venue, such as Europe/London. Without it, that of most products; products in others get venues of their own.',
        }),
      ),
      ...UNITS,
    },
    { additionalProperties: false },
  ),
  credentials: Type.Object(
    {
      apiKey: Type.String({
        title: 'API key',
        minLength: 1,
        maxLength: 2000,
        description: 'Sent as a bearer token.',
      }),
    },
    { additionalProperties: false },
  ),
  connect: createOcto,
};
