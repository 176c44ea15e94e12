/** The steps of a curator, in their order: what is sent, and what of the answer the later ones need. */
import { png } from '../../../test/features/media/pictures.ts';
import { REMOTE_TOKEN } from '../../../test/support/remote-tms/connector.ts';
import { MAPPING_TERMS } from './staff.ts';

// biome-ignore lint/suspicious/noExplicitAny: ids, and answers of every shape.
export type Known = Record<string, any>;

export interface Step {
  route: string;
  /** Undefined: what it is made of is not known. */
  body?: (known: Known) => unknown;
  raw?: (known: Known) => BodyInit;
  query?: Record<string, string | number>;
  /** Ids in the path that are called something else by now. */
  with?: (known: Known) => Known;
  /** By the name under which it is known: the member of the answer, '' for all of it. */
  keeps?: Record<string, string>;
  version?: string;
}

const post = (route: string, body: Step['body'], keeps: Record<string, string> = {}): Step => ({
  ...{ route: `POST ${route}`, keeps },
  ...(body && { body }),
});
const get = (route: string, query?: Step['query']): Step => ({
  route: `GET ${route}`,
  ...(query && { query }),
});
const put = (route: string, body: Step['body'], query?: Step['query']): Step => ({
  ...{ route: `PUT ${route}` },
  ...(body && { body }),
  ...(query && { query }),
});
const remove = (route: string): Step => ({ route: `DELETE ${route}` });

/** Made, listed, read, changed and read again. */
function kept(all: string, id: string, body: (known: Known) => object, member = 'id'): Step[] {
  const one = `${all}/{${id}}`;
  const changed = (known: Known) => ({ ...body(known) });
  return [post(all, body, { [id]: member }), get(all), get(one), put(one, changed), get(one)];
}

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const DAY = Temporal.Now.plainDateISO('Europe/London').add({ days: 40 }).toString();
const WEEKLY = { weekly: [{ weekdays: DAYS, periods: [{ opens: '12:00', closes: '22:00' }] }] };
const OPERATOR = '/manage/operators/{operatorId}';
const VENUE = '/manage/venues/{venueId}';
const PARTNER = '/manage/partners/{partnerId}';
const CLIENT = '/manage/clients/{clientId}';
const SYSTEM = `${OPERATOR}/systems/{tms}`;
const RULE = `${VENUE}/availability-rules/{ruleId}`;
const BOOKING_RULES = `${OPERATOR}/booking-rules`;

const venue = ({ name }: Known) => ({
  ...{
    name: `House of ${name}`,
    timeZone: 'Europe/London',
    types: ['restaurant'],
    phoneNumber: '+442079460000',
  },
  content: { summary: 'Fire', description: 'An open grill.', highlights: ['Open kitchen'] },
  location: {
    lat: 51.5,
    lng: -0.1,
    address: '12 Dean Street',
    area: 'Soho',
    city: 'London',
    countryCode: 'GB',
  },
});
const product = () => ({ name: 'Dinner', timeIntervalMinutes: 30, hours: WEEKLY, house: {} });
const space = () => ({
  name: 'The Copper Room',
  capacities: { seated: { min: 10, max: 28 } },
  policies: {
    ...{ minimumSpend: [], occasionTypes: [], under18s: true, promotedEvents: false },
    ...{ accessibility: true, servesFood: true },
  },
});
const override = () => ({
  startDate: DAY,
  endDate: DAY,
  startTime: '12:00',
  endTime: '23:00',
  amount: 1500,
  reason: 'Feast',
});
const table = ({ areaId }: Known) => ({ areaId, name: 'W1', minCovers: 2, maxCovers: 4 });
const availabilityRule = () => ({
  ...{ type: 'recurring_with_time', effect: 'disable', productKey: null, spaceId: null, partnerIds: [1] },
  definition: { weekdays: [5], startTime: '19:00', endTime: '21:00', reason: 'Kept for regulars' },
  ...{ categoryIds: null, scope: null, channel: 'all', isActive: true },
});
const bookingRule = () => ({
  ...{
    effect: 'party_size_limit',
    name: 'Large parties call us',
    message: 'Please call us.',
    params: { max: 8 },
  },
});
const hook = ({ receiverUrl, name }: Known) => ({
  callbackUrl: `${receiverUrl}/passing/${name}`,
  eventTypes: ['booking.updated'],
  label: 'Curated',
});
const mandate = () => ({ maxPartySize: 8, maxOpenBookings: 5, confirmAbove: { partySize: 6 } });
const mapping = () => ({ ...MAPPING_TERMS, productKeys: ['dinner'] });
const PICTURE = png(300, 300);

const houses: Step[] = [
  ...kept('/manage/operators', 'operatorId', ({ name }) => ({ name, settings: {} })),
  ...[put(SYSTEM, () => ({ settings: {} })), get(SYSTEM), get(`${OPERATOR}/systems`), get(`${SYSTEM}/form`)],
  ...[get(`${SYSTEM}/health`), post(`${SYSTEM}/test`, () => ({})), get(`${OPERATOR}/vocabulary`)],
  post(`${OPERATOR}/venues`, (known) => ({ tms: 'house', resourceId: 'curated', ...venue(known) }), {
    venueId: 'id',
  }),
  ...[get(`${OPERATOR}/venues`), get('/manage/venues'), get(VENUE), put(VENUE, venue), get(VENUE)],
  ...[
    get(`${VENUE}/hours`),
    put(`${VENUE}/hours`, () => ({ ...WEEKLY, exceptions: [] })),
    get(`${VENUE}/hours`),
  ],
  ...[
    get(`${VENUE}/mails`),
    put(`${VENUE}/mails`, () => ({
      replyTo: null,
      reminderHours: null,
      sentence: 'Please ring.',
      language: null,
    })),
    get(`${VENUE}/mails`),
  ],
  get(`${VENUE}/mails/preview`, { kind: 'confirmation' }),
  ...kept(`${VENUE}/zones`, 'zoneId', () => ({ name: 'Inside' })),
  ...kept(`${VENUE}/areas`, 'areaId', ({ zoneId }) => ({ zoneId, name: 'Window' })),
  ...kept(`${VENUE}/tables`, 'tableId', table),
  post(`${VENUE}/tables`, (known) => ({ ...table(known), name: 'W2' }), { secondId: 'id' }),
  ...kept(`${VENUE}/combinations`, 'combinationId', ({ tableId, secondId }) => ({
    tableIds: [tableId, secondId],
    minCovers: 5,
  })),
  ...kept(`${VENUE}/packages`, 'packageId', () => ({
    name: 'Feast',
    description: 'Six dishes',
    pricePence: 4500,
    pricePer: 'guest',
  })),
  ...kept(`${VENUE}/menus`, 'menuId', () => ({ name: 'Set menu', items: [] })),
  ...kept(`${VENUE}/spaces`, 'spaceId', space),
  ...kept(`${VENUE}/spaces/{spaceId}/minimum-spend-overrides`, 'overrideId', override),
  post(`${VENUE}/products`, () => ({ key: 'dinner', ...product() })),
  ...[get(`${VENUE}/products`), get(`${VENUE}/products/{productKey}`)],
  ...[put(`${VENUE}/products/{productKey}`, product), get(`${VENUE}/products/{productKey}`)],
  { route: `GET ${VENUE}/layout`, keeps: { layout: '' } },
  put(`${VENUE}/layout`, ({ layout }) => layout, { dryRun: 'true' }),
  put(
    `${VENUE}/layout`,
    ({ layout }) => layout && { ...layout, zones: [...layout.zones, { ref: 'new', name: 'Terrace' }] },
  ),
  get(`${VENUE}/preview`),
  ...kept(`${VENUE}/blocks`, 'blockId', ({ tableId }) => ({
    from: `${DAY}T18:00`,
    to: `${DAY}T20:00`,
    tableIds: [tableId],
    reason: 'A leg',
  })),
  put(`${VENUE}/site-faqs`, () => [{ question: 'Is there parking?', answer: 'No.' }]),
  get(`${VENUE}/site-faqs`),
  ...[
    get(`${VENUE}/starts`, { date: DAY, partySize: 2 }),
    get(`${VENUE}/diary`, { date: DAY }),
    get(`${VENUE}/waitlist`),
  ],
];

const pictures: Step[] = [
  post(
    `${VENUE}/uploads`,
    () => ({ contentType: 'image/png', sizeBytes: PICTURE.length, caption: 'Noise' }),
    { uploadId: 'uploadId' },
  ),
  ...[get(`${VENUE}/uploads`), get(`${VENUE}/uploads/{uploadId}`)],
  { route: `PUT ${VENUE}/uploads/{uploadId}/parts/{number}`, raw: () => new Uint8Array(PICTURE) },
  post(`${VENUE}/uploads/{uploadId}/complete`, undefined),
  { route: `GET ${VENUE}/photos`, keeps: { photos: '' } },
  put(
    `${VENUE}/photos`,
    ({ photos }) =>
      photos && { data: photos.data.map(({ id, url, caption }: Known) => ({ id, url, caption })) },
  ),
  post(`${VENUE}/uploads`, () => ({ contentType: 'image/png', sizeBytes: 1000, caption: 'Dropped' }), {
    uploadId: 'uploadId',
  }),
  remove(`${VENUE}/uploads/{uploadId}`),
];

const events: Step[] = [
  post(`${OPERATOR}/venues`, (known) => ({ tms: 'tickets', resourceId: 'gig', ...venue(known) }), {
    gigId: 'id',
  }),
  ...kept(`${VENUE}/occurrences`, 'occurrenceId', () => ({
    date: DAY,
    startsMinute: 1230,
    durationMinutes: 90,
  }))
    .concat(remove(`${VENUE}/occurrences/{occurrenceId}`), remove(VENUE))
    .map((step) => ({ ...step, with: ({ gigId }: Known) => ({ venueId: gigId }) })),
];

const rules: Step[] = [
  ...kept(`${VENUE}/availability-rules`, 'ruleId', availabilityRule),
  ...kept(`${OPERATOR}/partner-categories`, 'categoryId', ({ name }) => ({
    slug: name,
    name,
    partnerIds: [2],
  })),
  post(`${RULE}/scope/partners`, () => ({ partnerId: 2 })),
  { ...remove(`${RULE}/scope/partners/{partnerId}`), with: () => ({ partnerId: 2 }) },
  post(`${RULE}/scope/categories`, ({ categoryId }) => ({ categoryId })),
  ...[remove(`${RULE}/scope/categories/{categoryId}`), remove(RULE)],
  ...kept(BOOKING_RULES, 'bookingRuleId', bookingRule).map((step) => ({
    ...step,
    route: step.route.replace('{bookingRuleId}', '{ruleId}'),
    with: ({ bookingRuleId }: Known) => ({ ruleId: bookingRuleId }),
  })),
  ...[get(`${BOOKING_RULES}/facts`), get(`${BOOKING_RULES}/order`)],
  put(`${BOOKING_RULES}/order`, ({ bookingRuleId }) => bookingRuleId && { ruleIds: [bookingRuleId] }),
  post(`${BOOKING_RULES}/dry-run`, () => ({ rule: bookingRule() })),
  { ...remove(`${BOOKING_RULES}/{ruleId}`), with: ({ bookingRuleId }) => ({ ruleId: bookingRuleId }) },
];

const partners: Step[] = [
  ...kept('/manage/partners', 'partnerId', ({ name }) => ({
    reference: name,
    name,
    allowSimilarName: true,
  })).map((step) =>
    step.route.startsWith('PUT')
      ? { ...step, body: ({ name }: Known) => ({ reference: name, name, isMarketplace: true }) }
      : step,
  ),
  ...[
    get(`${OPERATOR}/partners`),
    put(`${OPERATOR}/partners/{partnerId}`, ({ name }) => ({ isSuspended: false, source: `${name}-source` })),
  ],
  get(`${OPERATOR}/partners/{partnerId}`),
  ...kept(`${OPERATOR}/sources`, 'sourceId', ({ name }) => ({ name: `${name}-spare`, partnerId: null })),
  post(`${OPERATOR}/sources/{sourceId}/resolve`, () => ({ partnerId: 2 })),
  remove(`${OPERATOR}/sources/{sourceId}`),
  get(`${PARTNER}/sources/{operatorId}`),
  ...[
    put(`${PARTNER}/mappings/{venueId}`, mapping),
    get(`${PARTNER}/mappings/{venueId}`),
    get(`${PARTNER}/mappings`),
  ],
  get(`${OPERATOR}/partners/{partnerId}/mappings`),
  post(`${VENUE}/products`, () => ({ key: 'lunch', ...product(), name: 'Lunch' })),
  post(`${PARTNER}/mappings/{venueId}/products`, () => ({ productKey: 'lunch' })),
  { ...remove(`${PARTNER}/mappings/{venueId}/products/{productKey}`), with: () => ({ productKey: 'lunch' }) },
  put(`${PARTNER}/mappings/{venueId}/products/{productKey}`, () => ({ productKey: 'lunch' })),
  ...[
    get(`${VENUE}/marketplace`),
    put(`${VENUE}/marketplace`, ({ partnerId }) => ({
      partnerId,
      listingId: 'curated',
      isEnabled: false,
      managed: [],
    })),
  ],
  post(
    '/manage/clients',
    ({ name, partnerId }) => partnerId && { kind: 'partner', id: `${name}-client`, partnerId },
    {
      clientId: 'id',
    },
  ),
  ...[
    get('/manage/clients'),
    get(CLIENT),
    put(CLIENT, () => ({ isActive: true, scopes: ['venue:read', 'venue-booking:read'] })),
    get(`${CLIENT}/secrets`),
  ],
  post(`${CLIENT}/secrets`, () => ({ othersExpireInSeconds: 60 }), { secretId: 'secretId' }),
  remove(`${CLIENT}/secrets/{secretId}`),
  ...[put(`${CLIENT}/mandate`, mandate), get(`${CLIENT}/mandate`), remove(`${CLIENT}/mandate`)],
  get(`${PARTNER}/clients`),
  post(`${PARTNER}/clients/{clientId}/secrets`, () => ({ othersExpireInSeconds: 60 }), {
    secretId: 'secretId',
  }),
  ...[
    get(`${PARTNER}/clients/{clientId}/secrets`),
    remove(`${PARTNER}/clients/{clientId}/secrets/{secretId}`),
  ],
  put(`${PARTNER}/clients/{clientId}/mandate`, mandate),
  ...[get(`${PARTNER}/clients/{clientId}/mandate`), remove(`${PARTNER}/clients/{clientId}/mandate`)],
  ...[get(`${PARTNER}/feeds`), get(`${PARTNER}/rules`), get(`${PARTNER}/requests`)],
  post('/manage/clients', ({ name }) => ({ kind: 'agent', id: `${name}-agent` }), { agentId: 'id' }),
  ...[
    post(`${CLIENT}/partners`, ({ partnerId }) => partnerId && { partnerId }),
    get(`${CLIENT}/partners`),
    remove(`${CLIENT}/partners/{partnerId}`),
    remove(CLIENT),
  ].map((step) => ({ ...step, with: ({ agentId }: Known) => ({ clientId: agentId }) })),
];

const hooksOf = (owner: string, id: string): Step[] =>
  [
    post(`${owner}/webhooks`, hook, { [id]: 'webhookId' }),
    get(`${owner}/webhooks`),
    ...[get(`${owner}/webhooks/{webhookId}`), put(`${owner}/webhooks/{webhookId}`, () => ({ active: true }))],
    post(`${owner}/webhooks/{webhookId}/secret`, undefined),
    post(`${owner}/webhooks/{webhookId}/test`, () => ({ eventType: 'webhook.ping' })),
    { route: `GET ${owner}/webhooks/events`, query: { limit: 1 } },
    { route: `GET ${owner}/webhooks/deliveries`, query: { limit: 1 }, keeps: { deliveries: 'data' } },
    { route: `GET ${owner}/webhooks/deliveries/{deliveryId}` },
    post(`${owner}/webhooks/{webhookId}/replay`, () => ({
      since: Temporal.Now.instant().subtract({ minutes: 5 }).toString(),
    })),
    remove(`${owner}/webhooks/{webhookId}`),
  ].map((step) => ({
    ...step,
    with: (known: Known) => ({
      webhookId: known[id],
      deliveryId: known.deliveries?.[0]?.deliveryId ?? UNKNOWN,
    }),
  }));
const UNKNOWN = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';

const systems: Step[] = [
  put('/manage/systems/{slug}', ({ systemUrl, name }) => ({
    protocol: 'connect',
    name,
    settings: { url: systemUrl },
  })),
  ...[get('/manage/systems'), get('/manage/systems/{slug}'), get('/manage/protocols')],
  ...[put(SYSTEM, () => ({ settings: {} })), get(`${SYSTEM}/health`)],
  post(`${SYSTEM}/credentials`, () => ({ fields: { token: REMOTE_TOKEN } })),
  ...[
    put(`${SYSTEM}/credentials`, () => ({ fields: { token: REMOTE_TOKEN } })),
    get(`${SYSTEM}/credentials`),
  ],
  { ...post(`${SYSTEM}/catalogue`, () => ({}), { runId: 'id' }), query: { dryRun: 'true' } },
  ...[
    get(`${SYSTEM}/catalogue`),
    get(`${SYSTEM}/catalogue/{runId}`),
    get(`${SYSTEM}/catalogue/{runId}/differences`),
  ],
  ...[remove(`${SYSTEM}/credentials`), remove(SYSTEM), remove('/manage/systems/{slug}')],
].map((step) => ({ ...step, with: ({ name }: Known) => ({ slug: name, tms: name }) }));

const words = ['/manage/venue-types', '/manage/product-categories'].flatMap((all): Step[] =>
  [
    get(all),
    put(`${all}/{slug}`, ({ name }) => ({ name })),
    get(`${all}/{slug}`),
    remove(`${all}/{slug}`),
  ].map((step) => ({ ...step, with: ({ name }: Known) => ({ slug: name }) })),
);

const books: Step[] = [
  ...[get(`${OPERATOR}/payment-account`), put(`${OPERATOR}/payment-account`, () => ({ account: null }))],
  get(`${OPERATOR}/reports/covers`, { from: DAY, to: DAY }),
  get(`${OPERATOR}/reports/bookings.csv`, { from: DAY, to: DAY }),
  ...[
    get(`${OPERATOR}/reports/money`, { from: DAY, to: DAY }),
    get(`${OPERATOR}/reports/money.csv`, { from: DAY, to: DAY }),
  ],
  ...[get(`${OPERATOR}/bookings`), get(`${OPERATOR}/holds`), get('/manage/health'), get('/manage/audit')],
  { route: `GET ${OPERATOR}/audit`, keeps: { audit: 'data' } },
  { route: `GET ${OPERATOR}/audit/{entryId}`, with: ({ audit }) => ({ entryId: audit?.[0]?.id }) },
  { route: 'GET /manage/audit/{entryId}', with: ({ audit }) => ({ entryId: audit?.[0]?.id }) },
  ...[post(`${VENUE}/close`, undefined), post(`${VENUE}/reopen`, undefined)],
];

export const BUILDING: readonly Step[] = [
  ...[...houses, ...pictures, ...events, ...rules, ...partners],
  ...[...hooksOf(OPERATOR, 'hookId'), ...hooksOf(PARTNER, 'partnerHookId'), ...systems, ...words, ...books],
];

export const TEARING_DOWN: readonly Step[] = [
  { route: `GET ${OPERATOR}/export`, keeps: { exported: '' } },
  ...[remove(`${VENUE}/blocks/{blockId}`), remove(`${PARTNER}/mappings/{venueId}`), remove(CLIENT)],
  ...[remove(`${OPERATOR}/partners/{partnerId}`), remove(`${OPERATOR}/partner-categories/{categoryId}`)],
  ...[
    remove(`${VENUE}/spaces/{spaceId}/minimum-spend-overrides/{overrideId}`),
    remove(`${VENUE}/spaces/{spaceId}`),
  ],
  ...[remove(`${VENUE}/menus/{menuId}`), remove(`${VENUE}/packages/{packageId}`)],
  ...[remove(`${VENUE}/combinations/{combinationId}`), remove(`${VENUE}/tables/{tableId}`)],
  { ...remove(`${VENUE}/tables/{tableId}`), with: ({ secondId }) => ({ tableId: secondId }) },
  ...[
    remove(`${VENUE}/products/{productKey}`),
    remove(`${VENUE}/areas/{areaId}`),
    remove(`${VENUE}/zones/{zoneId}`),
  ],
  ...[remove(VENUE), remove(SYSTEM), remove(`${PARTNER}/sources/{operatorId}`), remove(PARTNER)],
  remove(OPERATOR),
];

/** What was taken out before it was taken down is brought in again, and taken out once more. */
export const MOVING: readonly Step[] = [
  { ...post('/manage/imports', ({ exported }) => exported), query: { dryRun: 'true' } },
  post('/manage/imports', ({ exported }) => exported),
  get(`${OPERATOR}/export`),
];
