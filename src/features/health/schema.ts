import { type Static, Type } from 'typebox';
import { moment } from '../../http/validation/manage-fields.ts';
import { named, nullable, text } from '../../http/validation/schema-helpers.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Node = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'New with each start' }),
    host: text('The machine'),
    role: text('`all`, `api` or `worker`'),
    version: text('Of the program'),
    startedAt: moment('When it started'),
    seenAt: moment('Of its last heartbeat; there is one every five seconds'),
    isUp: Type.Boolean({
      description: 'Whether it was seen within 20 seconds. One that stops is not listed',
    }),
    keyId: nullable(
      text('Id of the encryption key that it seals with; null: of a version that does not say'),
    ),
  },
  named('HealthNode', 'A node, by its own account'),
);

const Queue = Type.Object(
  {
    name: text('The job'),
    waiting: count('Runs that are due and have not begun'),
    failed: count('Runs of the last days that were given up, as counted within the last minutes'),
    oldestDueAt: nullable(moment('Since when the first of those that wait is due')),
  },
  named('HealthQueue', 'The queue of a background job'),
);

const Subscription = Type.Object(
  {
    webhookId: Type.String({ format: 'uuid' }),
    partnerId: nullable(Type.Integer()),
    operatorId: nullable(Type.Integer()),
    label: nullable(Type.String()),
    retrying: count('Deliveries whose last attempt failed; at most 1,000 are counted'),
  },
  named('HealthSubscription', 'A webhook whose receiver fails'),
);

const System = Type.Object(
  {
    tms: text('Slug of the system'),
    isResting: Type.Boolean({
      description: 'At least one node does not call it, because it has been failing',
    }),
    restingOn: count('So many of the nodes that are up'),
  },
  named('HealthSystem', 'A system over the network'),
);

const Encryption = Type.Object(
  {
    state: Type.Enum(['settled', 'waiting', 'resealing', 'hashing', 'stuck'], {
      description:
        '`settled`: everything is sealed with one key. `waiting`: nodes still seal with another. `resealing`, then `hashing`: the work is under way. `stuck`: some values do not open, and their key has to stay',
    }),
    keyId: text('Id of the key that the node which answers seals with'),
    keys: Type.Array(
      Type.Object({
        id: text('Made from the key, which cannot be found by it'),
        isHeld: Type.Boolean({ description: 'Whether the node which answers has it' }),
        isNeeded: Type.Boolean({
          description:
            'Whether values may be sealed with it; if not, it can be taken out of `ENCRYPTION_KEY`',
        }),
        usedAt: moment('When a node that seals with it was last heard of'),
        retiredAt: nullable(moment('Since when nothing is sealed with it any more')),
      }),
      { description: 'All that were ever used, the newest first' },
    ),
    remaining: count('About so many rows are still to be looked at'),
    resealed: count('Values sealed anew since the tables were last begun with'),
    unreadable: count('Values that no key of this node opens'),
    failed: count('Values that do not open although their key is there'),
    waitingFor: Type.Array(Type.String(), { description: 'Machines of nodes that seal with another key' }),
  },
  named('HealthEncryption', 'The keys that guests and secrets are sealed with'),
);

export const PlatformHealth = Type.Object(
  {
    at: moment('When it was looked at'),
    missing: Type.Array(Type.String(), {
      description: 'The parts that could not be found out within two seconds, and are null',
    }),
    database: nullable(
      Type.Object({
        latencyMs: Type.Number({ description: 'Of the shortest question there is' }),
        sizeBytes: count('Of everything in it'),
        connections: count('To this database, of all nodes and others'),
        maxConnections: count('That the server takes'),
      }),
    ),
    nodes: nullable(Type.Array(Node, { description: 'Those seen in the last day, the oldest first' })),
    queues: nullable(Type.Array(Queue, { description: 'By name' })),
    mails: nullable(
      Type.Object({
        waiting: count('Written and not sent; at most 10,000 are counted'),
        retrying: count('Those that have failed once or more'),
        oldestDueAt: nullable(moment('Since when the first of them is due')),
      }),
    ),
    webhooks: nullable(
      Type.Object({
        waiting: count(
          'Deliveries still to be made to webhooks that are not paused; at most 10,000 are counted',
        ),
        oldestDueAt: nullable(moment('Since when the first of them is due; null: none is')),
        failing: Type.Array(Subscription, {
          description: 'The first twenty, those with most to retry first',
        }),
      }),
    ),
    feeds: nullable(
      Type.Object({
        venues: count('That have feeds'),
        behind: count('Venues that have changed since their files were made'),
        failing: count('Venues whose files could not be made at the last attempt'),
        lastMadeAt: nullable(moment('When files were last made')),
      }),
    ),
    encryption: nullable(Encryption),
    systems: Type.Array(System, { description: 'That this node knows' }),
  },
  named('PlatformHealth', 'How the platform is, at a glance'),
);
export type PlatformHealth = Static<typeof PlatformHealth>;

export const healthExample: PlatformHealth = {
  at: '2026-11-15T10:41:07.338Z',
  missing: [],
  database: { latencyMs: 0.4, sizeBytes: 734_003_200, connections: 24, maxConnections: 100 },
  nodes: [
    {
      id: '019a8f2c-61d3-7c4e-9a10-5e3b7f20c8d1',
      host: 'api-1',
      role: 'all',
      version: '1.0.0',
      startedAt: '2026-11-14T06:00:02.118Z',
      seenAt: '2026-11-15T10:41:04.912Z',
      isUp: true,
      keyId: '9f86d081',
    },
  ],
  queues: [{ name: 'mail.send-due', waiting: 0, failed: 0, oldestDueAt: null }],
  mails: { waiting: 3, retrying: 1, oldestDueAt: '2026-11-15T10:40:11.020Z' },
  webhooks: {
    waiting: 12,
    oldestDueAt: '2026-11-15T10:41:06.001Z',
    failing: [
      {
        webhookId: '019a7f52-3b1e-7c40-8d25-b7e94a06f1c3',
        partnerId: 1,
        operatorId: null,
        label: 'Bookings',
        retrying: 9,
      },
    ],
  },
  feeds: { venues: 48, behind: 1, failing: 0, lastMadeAt: '2026-11-15T10:41:02.640Z' },
  encryption: {
    state: 'settled',
    keyId: '9f86d081',
    keys: [
      {
        id: '9f86d081',
        isHeld: true,
        isNeeded: true,
        usedAt: '2026-11-15T10:41:04.912Z',
        retiredAt: null,
      },
    ],
    remaining: 0,
    resealed: 0,
    unreadable: 0,
    failed: 0,
    waitingFor: [],
  },
  systems: [{ tms: 'remote', isResting: false, restingOn: 0 }],
};
