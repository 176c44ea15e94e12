/** What the operator's rules would say about a hypothetical booking. */
import { type Caller, visibilityOf } from '../../http/auth/caller.ts';
import { nowOf, timestampOf } from '../../kernel/clock.ts';
import { parseProductId } from '../../kernel/ids.ts';
import { type FieldErrors, problem } from '../../kernel/problem.ts';
import type { Bookable } from '../venues/service.ts';
import { getBookableProduct } from './bookable.ts';
import type { Context } from './context.ts';
import { startOf } from './create/draft.ts';
import type { DraftBody, ExplainBody, RulesAnswer } from './explain-schema.ts';
import { findOffered, offeredBy } from './preorder.ts';
import { factsOfDraft, type RuledDraft } from './ruling.ts';

export async function explainRules(
  context: Context,
  caller: Caller,
  body: ExplainBody,
): Promise<RulesAnswer> {
  if (!('partner' in caller))
    throw problem('IDENT-N-002', {
      detail: 'Rules bind partners; call as a partner, or as an agent for one.',
    });
  const { compositeId, operation = 'booking_create', source = 'api', booking } = body;
  const bookable = await getBookableProduct(context, caller, parseProductId(compositeId));
  const offered = offeredBy(bookable);
  const draft = readDraft(booking, bookable, offered);
  const now = nowOf(context.clock);
  const nowMs = now.epochMilliseconds;
  const facts = factsOfDraft({ bookable, draft, source }, caller.partner, nowMs);
  const explained = await context.rules.explain(
    operation,
    { facts, nowMs, startsMs: [draft.start.startMs] },
    { visibility: visibilityOf(caller), offered: namesOf(offered) },
  );
  return { generatedAt: timestampOf(now), compositeId: bookable.product.id, operation, ...explained };
}

type Offered = ReturnType<typeof offeredBy>;

/** As the facts name them. */
const namesOf = ({ packages, menus }: Offered) => ({
  packages: packages.map(nameOf),
  menus: menus.map(nameOf),
});
const nameOf = ({ id, slug }: { id: number; slug: string | null }) => slug ?? String(id);

/** As far as rules look at it. Whether the pre-orders or the guest's data are complete is left to the booking. */
function readDraft(draft: DraftBody, { venue, product }: Bookable, offered: Offered): RuledDraft {
  const start = startOf(draft, venue.timeZone, product);
  const errors: FieldErrors = {};
  const named = readNames(draft, offered, errors);
  const spaceId = draft.spaceId ?? null;
  if (spaceId !== null && !product.spaceIds.includes(spaceId))
    errors['booking.spaceId'] = ['is not a space of this product'];
  const [field] = Object.keys(errors);
  if (field !== undefined) throw problem('VALID-N-001', { detail: `${field} ${errors[field]}.`, errors });
  return {
    type: draft.type ?? 'book',
    start,
    adults: draft.partySize,
    children: draft.children ?? 0,
    durationMinutes: draft.duration ?? null,
    spaceId,
    preorders: named,
    depositPence: draft.depositAmount ?? null,
  };
}

function readNames({ preorders }: DraftBody, offered: Offered, errors: FieldErrors): RuledDraft['preorders'] {
  const report = (field: string, message: string) => {
    errors[`booking.preorders.${field}`] = [message];
  };
  const { packages, menus } = preorders ?? {};
  return {
    packages: (packages ?? []).flatMap(
      (each, index) => findOffered(each, offered.packages, `packages.${index}`, report) ?? [],
    ),
    // Nothing is ordered of a menu without items.
    menus: (menus ?? []).flatMap((each, index) => {
      const found = findOffered(each, offered.menus, `menus.${index}`, report);
      return found && each.items.length > 0 ? [found] : [];
    }),
  };
}
