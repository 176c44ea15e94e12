import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/paging.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { lockSubject } from '../audit/service.ts';
import { recordingRuleLosses } from '../availability/rule-losses.ts';
import { createPartner } from '../identity/service.ts';
import { recordAssociationsEnd } from './associations.ts';
import { recordMembershipsEnd } from './categories.ts';
import { getPartner, type PlatformDeps } from './context.ts';
import type { NewPartner, Partner, PartnerChange, PartnerQuery } from './partner-schema.ts';
import {
  deletePartner,
  hasMappings,
  hasReference,
  hasSold,
  listNames,
  listPartners,
  updatePartner,
} from './partner-store.ts';
import { findSimilar } from './similar-names.ts';

export interface Partners {
  list(query: PartnerQuery): Promise<PageOf<Partner>>;
  get(id: number): Promise<Partner>;
  create(actor: Actor, partner: NewPartner): Promise<Partner>;
  change(actor: Actor, id: number, change: PartnerChange, ifMatch: string | undefined): Promise<Partner>;
  remove(actor: Actor, id: number, ifMatch: string | undefined): Promise<void>;
}

/** No two partners get similar names or the same reference while one holds this. */
const ALL = 'partners';
const aboutPartner = (id: number) => ({ operatorId: null, subject: `partner ${id}` });

export function createPartners({ sql, trail }: PlatformDeps): Partners {
  return {
    list: (query) =>
      inSnapshot(sql, async (tx) => {
        const { partners, total } = await listPartners(tx, query.name, windowOf(query));
        return pageOf(partners, total, query);
      }),

    get: (id) => getPartner(sql, id),

    create: (actor, { reference, name, isMarketplace = false, allowSimilarName = false }) =>
      trail.create({
        actor,
        action: 'partner.create',
        within: ALL,
        async write(tx) {
          if (!allowSimilarName) await assertUnlikeOthers(tx, name, null);
          const { id } = await createPartner(tx, { reference, name });
          if (isMarketplace) await updatePartner(tx, id, { reference, name, isMarketplace });
          return getPartner(tx, id);
        },
        about: ({ id }) => aboutPartner(id),
      }),

    change: (actor, id, { reference, name, isMarketplace, allowSimilarName = false }, ifMatch) =>
      trail.change({
        ...aboutPartner(id),
        actor,
        action: 'partner.change',
        ifMatch,
        find: (tx) => getPartner(tx, id),
        async write(tx, before) {
          await lockSubject(tx, ALL);
          if (!allowSimilarName && name !== before.name) await assertUnlikeOthers(tx, name, id);
          if (await hasReference(tx, reference, id)) throw invalid('reference', 'belongs to another partner');
          await updatePartner(tx, id, { reference, name, isMarketplace });
          // Looked at under the lock of the row that was just written: a mapping holds its partner.
          if (isMarketplace !== before.isMarketplace && (await hasMappings(tx, id)))
            throw invalid('isMarketplace', 'cannot change while venues are mapped to the partner');
        },
      }),

    remove: (actor, id, ifMatch) =>
      trail.remove({
        ...aboutPartner(id),
        actor,
        action: 'partner.delete',
        ifMatch,
        find: (tx) => getPartner(tx, id),
        async write(tx, before) {
          if (await hasSold(tx, id))
            throw invalid('partnerId', 'has bookings or orders; suspend it at its operators instead');
          if (before.isMarketplace && (await hasMappings(tx, id)))
            throw invalid('partnerId', 'is the marketplace of venues; take them off it first');
          await recordAssociationsEnd(tx, trail, actor, id);
          await recordMembershipsEnd(tx, trail, actor, id);
          const gone = { list: 'partnerIds', id } as const;
          await recordingRuleLosses(tx, { actor, trail, gone }, () => deletePartner(tx, id));
        },
      }),
  };
}

async function assertUnlikeOthers(tx: Tx, name: string, ownId: number | null): Promise<void> {
  const others = (await listNames(tx)).filter(({ id }) => id !== ownId);
  const similar = findSimilar(name, others);
  if (!similar) return;
  throw problem('PMAP-N-014', {
    detail: `Partner ${similar.id} is called ${similar.name}. Send allowSimilarName if this is another one.`,
  });
}
