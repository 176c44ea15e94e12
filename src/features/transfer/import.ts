/** A document becomes an operator, whole or not at all. */
import type { Tx } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/crypto.ts';
import { venueIdOf } from '../../kernel/ids.ts';
import { problem } from '../../kernel/problem.ts';
import { instantOf } from '../../kernel/rfc3339.ts';
import { assertScopeReferences } from '../availability/service.ts';
import { createRule, factsIn } from '../booking-rules/service.ts';
import { newSpace } from '../layout/service.ts';
import { assertNewOperator, updateOperator } from '../operators/service.ts';
import { importOperator, type OperatorDocument as StoredDocument } from '../venues/service.ts';
import { draftOf } from './check.ts';
import { availabilityRulesOf, idsIn, type NumberedKind, type UuidKind } from './ids.ts';
import { type Renumbering, renumber } from './renumber.ts';
import { MAX_KEPT_NUMBER, type OperatorDocument } from './schema.ts';
import {
  drawNumbers,
  findTaken,
  insertFaqs,
  listPartners,
  NUMBERED,
  skipNumbers,
  whileNumbering,
} from './store.ts';

export interface Imported {
  document: StoredDocument;
  renumbering: Renumbering;
}

/** For a document that `checkDocument` has let pass. */
export async function storeDocument(tx: Tx, clock: Clock, document: OperatorDocument): Promise<Imported> {
  const renumbering = await whileNumbering(tx, () => renumberingOf(tx, clock, document));
  const stored = { ...asStored(renumber(document, renumbering)), id: await operatorIdOf(tx, document) };
  await importOperator(tx, stored);
  const { id, name, settings } = stored;
  if (settings) await updateOperator(tx, id, { name, settings });
  await insertFaqs(
    tx,
    stored.venues.flatMap(({ tms, resourceId, siteFaqs = [] }) =>
      siteFaqs.length === 0
        ? []
        : [{ venueId: venueIdOf({ operatorId: stored.id, tms, resourceId }), faqs: siteFaqs }],
    ),
  );
  await checkScopes(tx, stored);
  await storeBookingRules(tx, clock, stored);
  return { document: stored, renumbering };
}

/** Throws where there is such an operator already. */
async function operatorIdOf(tx: Tx, { id, name }: OperatorDocument): Promise<number> {
  await assertNewOperator(tx, { id, name });
  if (id !== undefined) return id;
  const [drawn] = await drawNumbers(tx, 'operator', 1);
  return drawn as number;
}

async function renumberingOf(tx: Tx, clock: Clock, document: OperatorDocument): Promise<Renumbering> {
  const ids = idsIn(document);
  const given = (kind: NumberedKind) =>
    givenNumbers(
      tx,
      NUMBERED[kind],
      ids[kind].map(({ id }) => id),
    );
  const idsOf = (kind: UuidKind) => ids[kind].map(({ id }) => id);
  const fresh = (taken: Iterable<string>) => new Map([...taken].map((id) => [id, newId(clock)]));
  // Rules of the same priority are carried out in the order of their ids, so these are kept or given anew together,
  // and in that order.
  const taken = await findTaken(tx, 'booking_rule', idsOf('bookingRules'));
  return {
    spaces: await given('spaces'),
    packages: await given('packages'),
    menus: await given('menus'),
    menuItems: await given('menuItems'),
    zones: await given('zones'),
    areas: await given('areas'),
    tables: await given('tables'),
    partnerCategories: await given('partnerCategories'),
    availabilityRules: fresh(await findTaken(tx, 'availability_rule', idsOf('availabilityRules'))),
    bookingRules: fresh(taken.size > 0 ? idsOf('bookingRules').sort() : []),
  };
}

/** New numbers for those that are taken or too high to be kept; a kept number is not given out again. */
async function givenNumbers(tx: Tx, table: string, numbers: readonly number[]): Promise<Map<number, number>> {
  const taken = await findTaken(tx, table, numbers);
  const leaving = numbers.filter((number) => taken.has(number) || number > MAX_KEPT_NUMBER);
  const kept = numbers.filter((number) => !taken.has(number) && number <= MAX_KEPT_NUMBER);
  if (kept.length > 0)
    await skipNumbers(
      tx,
      table,
      kept.reduce((most, number) => Math.max(most, number)),
    );
  const drawn = await drawNumbers(tx, table, leaving.length);
  return new Map(leaving.map((number, index) => [number, drawn[index] as number]));
}

/** Bands that end with the day are stored as clocks show it, and moments as PostgreSQL reads them. */
function asStored(document: OperatorDocument): OperatorDocument {
  return {
    ...document,
    venues: document.venues.map(({ closedAt, ...venue }) => ({
      ...venue,
      ...(closedAt !== undefined && { closedAt: instantOf(closedAt).toString() }),
      spaces: (venue.spaces ?? []).map((space) => ({ ...space, policies: newSpace(space).policies })),
    })),
  };
}

/** Ids in expressions are those of the platform that they were written for. */
async function checkScopes(tx: Tx, { id: operatorId, venues }: StoredDocument): Promise<void> {
  for (const venue of venues) {
    const venueId = venueIdOf({ operatorId, tms: venue.tms, resourceId: venue.resourceId });
    for (const [rules] of availabilityRulesOf(venue, '')) {
      for (const { scope } of rules) {
        const aim = { partnerIds: null, categoryIds: null, scope };
        if (scope !== undefined) await assertScopeReferences(tx, venueId, aim);
      }
    }
  }
}

async function storeBookingRules(tx: Tx, clock: Clock, document: StoredDocument): Promise<void> {
  const { id: operatorId, bookingRules = [], partnerCategories = [] } = document;
  const references = bookingRules.flatMap(({ partners = [] }) => partners);
  const partners = new Map(
    (await listPartners(tx, { references })).map(({ id, reference }) => [reference, id]),
  );
  const categories = new Map(partnerCategories.map(({ id, slug }) => [slug, id]));
  for (const rule of bookingRules) {
    const draft = draftOf(rule, {
      partnerIds: rule.partners?.map((reference) => getPartner(partners, reference)),
      categoryIds: rule.partnerCategories?.flatMap((slug) => categories.get(slug) ?? []),
      venueIds: rule.venues?.map((key) => venueIdOf({ operatorId, ...key })),
    });
    await createRule(tx, clock, { id: rule.id ?? newId(clock), operatorId, draft });
  }
}

/** The partner may have been removed since the document was checked. */
function getPartner(partners: ReadonlyMap<string, number>, reference: string): number {
  const id = partners.get(reference);
  if (id !== undefined) return id;
  throw problem('PMAP-N-004', { detail: `There is no partner with the reference ${reference}.` });
}

/** Facts whose values are ids, which may be others here. */
const ID_FACTS = [
  'partner.id',
  'partner.categoryIds',
  'venue.id',
  'venue.operatorId',
  'product.id',
  'space.id',
];

export function notesOn({ bookingRules = [] }: StoredDocument): string[] {
  return bookingRules.flatMap((rule, index) => {
    const facts = factsIn([rule.when, rule.then]);
    const named = ID_FACTS.filter((fact) => facts.has(fact));
    return named.length === 0
      ? []
      : [
          `bookingRules.${index} compares ${named.join(', ')}: see whether the ids in it are those of this platform.`,
        ];
  });
}
