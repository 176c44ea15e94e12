import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, startTestApp, type TestApp } from '../../support/app.ts';
import { importInto } from './platforms.ts';
import { tavernOperator } from './tavern.ts';

let maitred: TestApp;
before(async () => {
  maitred = await startTestApp();
});
after(() => maitred.close());

// biome-ignore lint/suspicious/noExplicitAny: what is wrong with these documents is that they have no type.
type Loose = any;

/** What is done to a document that is right, what is answered, and at which places the fault is found. */
interface Wrong {
  what: string;
  change: (document: Loose, tavern: Loose, quiz: Loose) => void;
  status: number;
  code: string;
  at: string[];
}

const invalid = (what: string, at: string | string[], change: Wrong['change']): Wrong => ({
  what,
  change,
  status: 400,
  code: 'VALID-N-001',
  at: [at].flat(),
});
const refused = (status: number, code: string, what: string, at: string, change: Wrong['change']): Wrong => ({
  what,
  change,
  status,
  code,
  at: [at],
});

const RULE = { type: 'recurring', definition: { weekdays: [1] } };
const SAUCE = { value: 'Gravy', pricePence: 0 };
const OPTION = { id: 'sauce', name: 'Sauce', required: true, values: [SAUCE] };

const CASES: Wrong[] = [
  invalid('an unknown member', 'venues.0.cuisine', (_, tavern) => {
    tavern.cuisine = 'pub';
  }),
  invalid(
    'several faults of form',
    ['name', 'venues.0.location.lat', 'venues.1.products.0.key'],
    (all, tavern, quiz) => {
      all.name = ' ';
      tavern.location.lat = 91;
      quiz.products[0].key = 'a|b';
    },
  ),
  invalid(
    'several faults of sense',
    ['venues.0.timeZone', 'venues.0.products.0.category', 'venues.0.types.0'],
    (_, tavern) => {
      tavern.timeZone = 'Europe/Atlantis';
      tavern.products[0].category = 'nonsense';
      tavern.types = ['castle'];
    },
  ),
  invalid('an id twice', 'venues.0.house.zones.0.areas.0.tables.1.id', (_, tavern) => {
    tavern.house.zones[0].areas[0].tables[1].id = 37;
  }),
  invalid('the same space in two venues', 'venues.1.spaces.0.id', (_, tavern, quiz) => {
    quiz.spaces = [tavern.spaces[0]];
  }),
  invalid('a venue twice', 'venues.2.resourceId', (all, tavern) => {
    all.venues.push({ ...tavern, spaces: [], packages: [], menus: [], products: [], availabilityRules: [] });
    all.venues[2].house = { zones: [], products: [] };
  }),
  invalid('a product twice', 'venues.0.products.2.key', (_, tavern) => {
    tavern.products.push({ ...tavern.products[0] });
  }),
  invalid('a category twice', 'partnerCategories.1.slug', (all) => {
    all.partnerCategories.push({ ...all.partnerCategories[0], id: 999 });
  }),
  invalid('a rule id twice', 'bookingRules.1.id', (all) => {
    all.bookingRules[1].id = all.bookingRules[0].id;
  }),
  invalid('two packages with one slug', 'venues.0.packages.1.slug', (_, tavern) => {
    tavern.packages.push({ ...tavern.packages[0], id: 91 });
  }),
  invalid('two menus with one slug', 'venues.0.menus.1.slug', (_, tavern) => {
    tavern.menus[0].slug = 'supper';
    tavern.menus.push({ ...tavern.menus[0], id: 92, items: [] });
  }),
  invalid('two options with one id', 'venues.0.menus.0.items.0.options', (_, tavern) => {
    tavern.menus[0].items[0].options = [OPTION, OPTION];
  }),
  invalid('an option with a value twice', 'venues.0.menus.0.items.0.options.0.values', (_, tavern) => {
    tavern.menus[0].items[0].options = [{ ...OPTION, values: [SAUCE, SAUCE] }];
  }),
  invalid('more packages than a venue keeps', 'venues.0.packages', (_, tavern) => {
    const { slug: _slug, ...plain } = tavern.packages[0];
    tavern.packages = Array.from({ length: 201 }, (_, index) => ({ ...plain, id: 32 + index }));
  }),
  invalid('more categories of partners than an operator keeps', 'partnerCategories', (all) => {
    const [friends] = all.partnerCategories;
    const strangers = (_: unknown, index: number) => ({ ...friends, id: 91 + index, slug: `s${index}` });
    all.partnerCategories.push(...Array.from({ length: 200 }, strangers));
  }),
  invalid('a package of nobody', 'venues.0.products.0.packageIds', (_, tavern) => {
    tavern.products[0].packageIds = [99];
  }),
  invalid('a product that is not seated', 'venues.0.house.products', (_, tavern) => {
    tavern.house.products.pop();
  }),
  invalid('no book at all', 'venues.0.house', (_, tavern) => {
    delete tavern.house;
  }),
  invalid('a book of an event', 'venues.1.house', (_, tavern, quiz) => {
    quiz.house = tavern.house;
    tavern.house = { zones: [], products: tavern.house.products.map(({ key }: Loose) => ({ key })) };
    tavern.spaces = [];
    tavern.products[1].spaceIds = [];
    tavern.products[1].availabilityRules = [];
  }),
  invalid('tables of two areas joined', 'venues.0.house.combinations.0.tableIds', (_, tavern) => {
    const [zone] = tavern.house.zones;
    zone.areas.push({ id: 71, name: 'Yard', tables: [{ id: 72, name: '9', maxCovers: 2 }] });
    tavern.house.combinations = [{ tableIds: [37, 72] }];
  }),
  invalid('turn times beyond the bounds of a stay', 'venues.0.house.products.0.turnTimes', (_, tavern) => {
    tavern.house.products[0].turnTimes = [{ upTo: 2, minutes: 1000 }];
  }),
  invalid('fewer tickets than the least', 'venues.1.tickets.ticketTypes.0.maxPerBooking', (_, __, quiz) => {
    quiz.tickets.ticketTypes[0].minPerBooking = 9;
  }),
  invalid('an occurrence twice', 'venues.1.tickets.occurrences.1', (_, __, quiz) => {
    quiz.tickets.occurrences.push(quiz.tickets.occurrences[0]);
  }),
  invalid('a start that the clocks skip', 'venues.1.tickets.occurrences.0.startsMinute', (_, __, quiz) => {
    quiz.tickets.occurrences = [{ date: '2031-03-30', startsMinute: 90, durationMinutes: 120 }];
  }),
  invalid('a start in no zone at all', 'venues.1.timeZone', (_, __, quiz) => {
    quiz.timeZone = 'Europe/Atlantis';
  }),
  invalid('a host that is not there', 'venues.1.host', (_, __, quiz) => {
    quiz.host = { tms: 'house', resourceId: 'nowhere' };
  }),
  invalid('a host of a venue', 'venues.0.host', (_, tavern) => {
    tavern.host = { tms: 'tickets', resourceId: 'quiz' };
  }),
  invalid(
    'a rule that is not well defined',
    'venues.0.availabilityRules.0.definition.weekdays',
    (_, tavern) => {
      tavern.availabilityRules = [{ type: 'recurring', definition: {} }];
    },
  ),
  invalid('a rule that keeps times for nobody', 'venues.0.availabilityRules.0.effect', (_, tavern) => {
    tavern.availabilityRules = [{ ...RULE, effect: 'reserve' }];
  }),
  invalid('a rule about a strange space', 'venues.0.availabilityRules.0.spaceId', (_, tavern) => {
    tavern.availabilityRules = [{ ...RULE, spaceId: 99 }];
  }),
  invalid('more questions and answers than a venue keeps', 'venues.0.siteFaqs', (_, tavern) => {
    const answer = 'x'.repeat(20_000);
    tavern.siteFaqs = Array.from({ length: 101 }, () => ({ question: 'Why?', answer }));
  }),
  invalid('a booking rule without its parameters', 'bookingRules.0.params', (all) => {
    delete all.bookingRules[0].params;
  }),
  invalid('a booking rule with a member of another effect', 'bookingRules.0.hook', (all) => {
    all.bookingRules[0].hook = 'payment';
  }),
  invalid('a booking rule about a strange venue', 'bookingRules.0.venues.0', (all) => {
    all.bookingRules[0].venues = [{ tms: 'house', resourceId: 'nowhere' }];
  }),
  refused(404, 'PMAP-N-004', 'a partner that is not there', 'partnerCategories.0.partners.0', (all) => {
    all.partnerCategories[0].partners = ['nobody'];
  }),
  refused(
    404,
    'PMAP-N-004',
    'a rule for a partner that is not there',
    'venues.0.availabilityRules.0.partners.0',
    (_, tavern) => {
      tavern.availabilityRules = [{ ...RULE, partners: ['nobody'] }];
    },
  ),
  refused(404, 'PMAP-N-004', 'a booking rule for such a partner', 'bookingRules.0.partners.0', (all) => {
    all.bookingRules[0].partners = ['nobody'];
  }),
  refused(404, 'OPRUL-N-014', 'a strange category', 'bookingRules.0.partnerCategories.0', (all) => {
    all.bookingRules[0].partnerCategories = ['strangers'];
  }),
  refused(
    400,
    'OPRUL-N-013',
    'a scope outside of the profile',
    'venues.0.availabilityRules.0',
    (_, tavern) => {
      tavern.availabilityRules = [{ ...RULE, scope: { log: 'x' } }];
    },
  ),
  refused(400, 'OPRUL-N-013', 'an expression outside of the profile', 'bookingRules.1', (all) => {
    all.bookingRules[1].when = { log: 'x' };
  }),
  refused(
    400,
    'OPRUL-N-010',
    'a marketplace rule of another type',
    'venues.0.availabilityRules.0',
    (_, tavern) => {
      const definition = { startTime: '10:00', endTime: '11:00' };
      tavern.availabilityRules = [{ type: 'time_based', definition, channel: 'marketplace' }];
    },
  ),
  refused(400, 'OPRUL-N-015', 'a marketplace rule for some', 'venues.0.availabilityRules.0', (_, tavern) => {
    tavern.availabilityRules = [{ ...RULE, channel: 'marketplace', partners: ['demo-partner'] }];
  }),
  refused(400, 'OPRTR-N-006', 'a system that nobody knows', 'systems.2', (all) => {
    all.systems.push('abacus');
  }),
  refused(400, 'OPRTR-N-006', 'a setting that is none', 'settings', (all) => {
    all.settings.contactEmail = 'nobody';
  }),
  refused(404, 'BOOK-N-003', 'a venue on a system that is not used', 'venues.0.tms', (all, _, quiz) => {
    all.systems = ['tickets'];
    delete quiz.host;
  }),
  refused(404, 'EVENT-N-001', 'an event on a system that is not used', 'venues.1.tms', (all) => {
    all.systems = ['house'];
  }),
  refused(404, 'BOOK-N-001', 'venues without any system', 'venues.0.tms', (all) => {
    all.systems = [];
  }),
  refused(404, 'VENUE-N-004', 'a product of a strange space', 'venues.0.products.1', (_, tavern) => {
    tavern.products[1].spaceIds = [99];
  }),
  refused(404, 'VENUE-N-003', 'a product of a strange zone', 'venues.0.house.products.0', (_, tavern) => {
    tavern.house.products[0].zoneIds = [99];
  }),
  refused(
    404,
    'VENUE-N-003',
    'a space in a strange zone',
    'venues.0.house.spaceZones.0.zoneId',
    (_, tavern) => {
      tavern.house.spaceZones[0].zoneId = 99;
    },
  ),
  refused(400, 'VENUE-N-008', 'a space in two zones', 'venues.0.house.spaceZones.1.spaceId', (_, tavern) => {
    tavern.house.zones.push({ id: 81, name: 'Outside', areas: [] });
    tavern.house.spaceZones.push({ spaceId: 31, zoneId: 81 });
  }),
  refused(400, 'VENUE-N-006', 'hours that overlap', 'venues.0.hours.weekly.1.periods', (_, tavern) => {
    tavern.hours.weekly.push({ weekdays: [5], periods: [{ opens: '22:00', closes: '02:00' }] });
  }),
  refused(
    400,
    'VENUE-N-006',
    'hours of nothing',
    'venues.0.products.0.hours.weekly.0.periods.0.closes',
    (_, tavern) => {
      tavern.products[0].hours = {
        weekly: [{ weekdays: [1], periods: [{ opens: '18:00', closes: '18:00' }] }],
      };
    },
  ),
  refused(409, 'VENUE-N-007', 'bands that overlap', 'venues.0.spaces.0', (_, tavern) => {
    const { minimumSpend } = tavern.spaces[0].policies;
    minimumSpend.push({ ...minimumSpend[0] });
  }),
  refused(
    409,
    'VENUE-N-007',
    'overrides that overlap',
    'venues.0.spaces.0.minimumSpendOverrides.1',
    (_, tavern) => {
      const { minimumSpendOverrides } = tavern.spaces[0];
      minimumSpendOverrides.push({
        ...minimumSpendOverrides[0],
        startDate: '2030-12-26',
        endDate: '2030-12-27',
      });
    },
  ),
  refused(
    400,
    'VENUE-N-006',
    'an override that ends before it begins',
    'venues.0.spaces.0.minimumSpendOverrides.0.endDate',
    (_, tavern) => {
      tavern.spaces[0].minimumSpendOverrides[0].endDate = '2030-12-01';
    },
  ),
];

for (const { what, change, status, code, at } of CASES) {
  test(`${what} is refused with its place, and nothing is stored`, async () => {
    const document = structuredClone(tavernOperator()) as Loose;
    change(document, document.venues[0], document.venues[1]);
    const { errors } = assertProblem(await importInto(maitred, document), status, code);
    for (const path of at) assert.ok(errors[path], `${path} is not among ${Object.keys(errors)}`);
    const stored = await maitred.sql`select from operator where name = ${document.name}`;
    assert.equal(stored.length, 0);
  });
}

test('ids in a scope must be those of this platform', async () => {
  const document = structuredClone(tavernOperator()) as Loose;
  document.venues[0].availabilityRules = [
    { ...RULE, scope: { '==': [{ var: 'venue.id' }, '1|house|soho-grill'] } },
  ];
  assertProblem(await importInto(maitred, document), 404, 'OPRUL-N-014');
});

test('ids in booking rules are left alone and noted', async () => {
  const document = structuredClone(tavernOperator()) as Loose;
  document.bookingRules[1].when = { '===': [{ var: 'partner.id' }, 1] };
  const { status, json } = await importInto(maitred, document, '?dryRun=true');
  assert.equal(status, 200);
  assert.equal(json.notes.length, 1);
  assert.match(json.notes[0], /bookingRules\.1 .*partner\.id/);
});

test('a body that is no document at all is refused', async () => {
  for (const body of [[], 'x', 1, null, {}]) {
    const answer = await maitred.call('/manage/imports', {
      method: 'POST',
      as: 'demo-admin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assertProblem(answer, 400, 'VALID-N-001');
  }
});
