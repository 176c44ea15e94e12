import { type Static, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { explain, fieldReport } from '../../http/validation/messages.ts';
import { named } from '../../http/validation/schema-helpers.ts';
import type { FieldErrors } from '../../kernel/problem.ts';
import {
  compileScope,
  productFacts,
  type ScopeFacts,
  tellsPartnersApart,
  venueFacts,
} from '../booking-rules/service.ts';
import { weekdays } from './manage/schema-helpers.ts';
import type { ProductRecord, RuleRecord, VenueRecord } from './record.ts';
import type { AvailabilityRuleType } from './transfer/document.ts';

const date = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      'x-message': 'must be a time such as 19:30',
      description,
    }),
  );

/** When a rule holds, as it is stored. Which members belong to which type is checked by `definitionErrors`. */
export const RuleDefinition = Type.Object(
  {
    startDate: date('First trading day'),
    endDate: date('Last trading day, included'),
    weekdays: Type.Optional(weekdays),
    dates: Type.Optional(
      Type.Array(Type.String({ format: 'date' }), { minItems: 1, maxItems: 1000, uniqueItems: true }),
    ),
    startTime: time('Local time, included'),
    endTime: time('Local time, excluded; at or before `startTime` it is on the next day'),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  },
  { additionalProperties: false, ...named('RuleDefinition', 'When a rule holds') },
);

type Member = Exclude<keyof Static<typeof RuleDefinition>, 'reason'>;

const RANGE: Member[] = ['startDate', 'endDate'];
const TIMES: Member[] = ['startTime', 'endTime'];

const MEMBERS: Record<AvailabilityRuleType, { needs: Member[]; takes: Member[] }> = {
  date_range: { needs: RANGE, takes: [] },
  date_range_with_time: { needs: [...RANGE, ...TIMES], takes: [] },
  recurring: { needs: ['weekdays'], takes: RANGE },
  recurring_with_time: { needs: ['weekdays', ...TIMES], takes: RANGE },
  specific_dates: { needs: ['dates'], takes: [] },
  specific_dates_with_time: { needs: ['dates', ...TIMES], takes: [] },
  time_based: { needs: TIMES, takes: [] },
};

/** What is wrong with a definition, field by field; undefined when it can be stored. */
export function definitionErrors(type: AvailabilityRuleType, definition: unknown): FieldErrors | undefined {
  const report = fieldReport();
  if (Check(RuleDefinition, definition)) {
    const { needs, takes } = MEMBERS[type];
    const { reason: _, ...given } = definition;
    for (const name of needs)
      if (given[name] === undefined) report.add(name, `is required in a ${type} rule`);
    for (const name of Object.keys(given) as Member[]) {
      if (![...needs, ...takes].includes(name)) report.add(name, `does not belong in a ${type} rule`);
    }
    const { startDate, endDate } = given;
    if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
      report.add('endDate', 'must not lie before startDate');
    }
  } else {
    explain(RuleDefinition, definition, '', report);
  }
  return report.size === 0 ? undefined : Object.fromEntries(report.entries());
}

/**
 * The venue with the rules that apply to this partner; a rule that applies to some of the products appears once for
 * each. Scopes depend on partner, venue and product only: all of that is known once a venue has been read for a caller,
 * so they are evaluated here, once, and later code need not know of them. Null: a caller that is no partner, to which rules that depend on the partner do not apply.
 */
export function withoutScopes(venue: VenueRecord, partner: ScopeFacts['partner'] | null): VenueRecord {
  if (venue.rules.every(({ scope }) => scope === null)) return venue;
  return { ...venue, rules: venue.rules.flatMap((rule) => resolved(rule, venue, partner)) };
}

function resolved(
  rule: RuleRecord,
  venue: VenueRecord,
  partner: ScopeFacts['partner'] | null,
): RuleRecord | RuleRecord[] {
  const { scope, productId } = rule;
  if (scope === null) return rule;
  if (partner === null && tellsPartnersApart(scope)) return [];
  const holds = compileScope(scope);
  const about = venue.products.filter(({ id }) => productId === null || productId === id);
  const held = about.filter((product) =>
    holds({ ...(partner && { partner }), venue: venueFacts(venue), product: factsOf(product) }),
  );
  if (held.length === about.length && held.length > 0) return { ...rule, scope: null };
  return held.map(({ id }) => ({ ...rule, scope: null, productId: id }));
}

const factsOf = (product: ProductRecord) =>
  productFacts({ ...product, category: product.category?.slug ?? null });
