/** What an operator does with the availability rules of a venue. */

import type { Sql, Tx } from '../../../db/database.ts';
import type { Actor } from '../../../http/auth/actor.ts';
import { type Clock, nowOf } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/crypto.ts';
import type { VenueId } from '../../../kernel/ids.ts';
import { problem } from '../../../kernel/problem.ts';
import type { AuditLog, Change } from '../../audit/service.ts';
import type { Marketplaces } from '../marketplace/marketplace.ts';
import {
  aboutRule,
  assertReferences,
  assertScopeReferences,
  contentOf,
  withEntry,
  withoutEntry,
} from './checks.ts';
import type { ManagedRule, RuleDraft } from './schema.ts';
import {
  countRules,
  deleteRule,
  findRule,
  hasVenue,
  listRules,
  lockRule,
  lockVenue,
  type RuleAddress,
  type RuleContent,
  type ScopeEntry,
  saveRule,
} from './store.ts';

/** The actor that changes a rule, and the version that it has read. */
export interface Changing extends RuleAddress {
  actor: Actor;
  ifMatch: string | undefined;
}

export interface RuleStorage {
  list(venueId: VenueId): Promise<ManagedRule[]>;
  get(address: RuleAddress): Promise<ManagedRule>;
  create(actor: Actor, venueId: VenueId, draft: RuleDraft): Promise<ManagedRule>;
  change(changing: Changing, draft: RuleDraft): Promise<ManagedRule>;
  remove(changing: Changing): Promise<void>;
  /** Aims a rule at one partner or category more, or less. */
  addToScope(changing: Changing, entry: ScopeEntry): Promise<ManagedRule>;
  takeFromScope(changing: Changing, entry: ScopeEntry): Promise<void>;
}

export interface StorageDeps {
  sql: Sql;
  clock: Clock;
  auditLog: AuditLog;
  marketplaces: Marketplaces;
}

export const MAX_RULES = 500;

export function createRuleStorage({ sql, clock, auditLog, marketplaces }: StorageDeps): RuleStorage {
  const save = (tx: Tx, address: RuleAddress, rule: RuleContent) => saveRule(tx, address, rule, nowOf(clock));

  /** Checks what a rule names, and makes room for it on the marketplace, unless it is switched off. */
  async function settle(tx: Tx, actor: Actor, venueId: VenueId, rule: RuleContent, draft: RuleDraft) {
    await assertReferences(tx, venueId, rule);
    if (rule.channel === 'all' || !rule.isActive) return;
    const { productKey, definition } = rule;
    await marketplaces.makeRoom(tx, actor, venueId, {
      productKey,
      weekdays: definition.weekdays ?? [],
      replacesManaged: draft.replaceCollinsManaged ?? false,
    });
  }

  return {
    async list(venueId) {
      await assertVenue(sql, venueId);
      return listRules(sql, venueId);
    },

    get: (address) => getRule(sql, address),

    async create(actor, venueId, draft) {
      const rule = contentOf(draft);
      return auditLog.create({
        actor,
        action: 'availability-rule.create',
        async write(tx) {
          await lockVenue(tx, venueId);
          await assertVenue(tx, venueId);
          await assertRoom(tx, venueId);
          await settle(tx, actor, venueId, rule, draft);
          const address = { venueId, ruleId: newId(clock) };
          await save(tx, address, rule);
          return getRule(tx, address);
        },
        about: ({ id }) => aboutRule({ venueId, ruleId: id }),
      });
    },

    async change(changing, draft) {
      const rule = contentOf(draft);
      return auditLog.change(
        changeOf(changing, async (tx) => {
          await settle(tx, changing.actor, changing.venueId, rule, draft);
          await save(tx, changing, rule);
        }),
      );
    },

    remove: (changing) =>
      auditLog.remove({
        ...changeOf(changing, (tx) => deleteRule(tx, changing.ruleId)),
        action: 'availability-rule.remove',
      }),

    addToScope: (changing, entry) =>
      auditLog.change(
        changeOf(changing, async (tx, before) => {
          const rule = withEntry(before, entry);
          const added = { partnerIds: null, categoryIds: null, scope: null, [entry.list]: [entry.id] };
          await assertScopeReferences(tx, changing.venueId, added);
          await save(tx, changing, rule);
        }),
      ),

    async takeFromScope(changing, entry) {
      await auditLog.change(
        changeOf(changing, (tx, before) => save(tx, changing, withoutEntry(before, entry))),
      );
    },
  };
}

function changeOf(
  { actor, ifMatch, ...address }: Changing,
  write: (tx: Tx, before: ManagedRule) => Promise<void>,
): Change<ManagedRule> {
  return {
    ...aboutRule(address),
    actor,
    action: 'availability-rule.change',
    ifMatch,
    async find(tx) {
      await lockVenue(tx, address.venueId);
      await lockRule(tx, address);
      return getRule(tx, address);
    },
    write,
  };
}

async function getRule(tx: Tx, address: RuleAddress): Promise<ManagedRule> {
  const rule = await findRule(tx, address);
  if (rule) return rule;
  await assertVenue(tx, address.venueId);
  throw problem('OPRUL-N-005', { detail: 'This venue has no availability rule with this id.' });
}

async function assertVenue(tx: Tx, venueId: VenueId): Promise<void> {
  if (await hasVenue(tx, venueId)) return;
  throw problem('VENUE-N-001', { detail: `There is no venue ${venueId}.` });
}

async function assertRoom(tx: Tx, venueId: VenueId): Promise<void> {
  if ((await countRules(tx, venueId)) < MAX_RULES) return;
  throw problem('OPRTR-N-006', {
    detail: `A venue has at most ${MAX_RULES} availability rules; remove one before you add another.`,
  });
}
