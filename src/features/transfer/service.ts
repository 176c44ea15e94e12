/**
 * One operator as a document: how a platform moves in, and how an operator moves on. What belongs to the platform
 * stays with it: partners and what they may distribute, clients, users, credentials, and bookings.
 */
import type { Config } from '../../config.ts';
import { inSnapshot, type Sql } from '../../db/database.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import type { Actor } from '../../http/auth/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Registry } from '../../tms/registry.ts';
import type { AuditLog } from '../audit/service.ts';
import { ALL_OPERATORS } from '../operators/service.ts';
import type { OperatorDocument as StoredDocument } from '../venues/service.ts';
import { checkDocument } from './check.ts';
import { countsOf } from './counts.ts';
import { exportOperator } from './export.ts';
import type { Surroundings } from './faults.ts';
import { notesOn, storeDocument } from './import.ts';
import type { Renumbering } from './renumber.ts';
import type { ImportResult, OperatorDocument } from './schema.ts';
import { findVocabulary, listPartners } from './store.ts';

export interface Transfer {
  export(operatorId: number): Promise<StoredDocument>;
  /** A dry run goes all the way, and is taken back. */
  import(actor: Actor, document: OperatorDocument, options: { isDryRun: boolean }): Promise<ImportResult>;
}

export interface TransferDeps {
  sql: Sql;
  reads?: Reads;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
  registry: Registry;
  auditLog: AuditLog;
}

/** Thrown at the end of a dry run, so that nothing of it stays. */
class DryRun extends Error {
  readonly result: ImportResult;
  constructor(result: ImportResult) {
    super('A dry run has come to its end.');
    this.result = result;
  }
}

export function createTransfer({
  sql,
  reads = primaryReads(sql),
  clock,
  config,
  registry,
  auditLog,
}: TransferDeps): Transfer {
  async function run(actor: Actor, document: OperatorDocument, isDryRun: boolean): Promise<ImportResult> {
    checkDocument(document, { ...(await lookAround(sql, document)), registry });
    return auditLog.create({
      actor,
      action: 'operator.import',
      within: ALL_OPERATORS,
      about: ({ operatorId }) => ({ operatorId, subject: `operator ${operatorId}` }),
      async write(tx) {
        const { document: stored, renumbering } = await storeDocument(tx, clock, document);
        const result = {
          operatorId: stored.id,
          isDryRun,
          ...countsOf(stored),
          renumbered: shown(renumbering),
          notes: notesOn(stored),
        };
        if (isDryRun) throw new DryRun(result);
        return result;
      },
    });
  }

  return {
    export: (operatorId) => readTogether(reads, (tx) => exportOperator(tx, operatorId, config.publicUrl)),

    async import(actor, document, { isDryRun }) {
      try {
        return await run(actor, document, isDryRun);
      } catch (error) {
        if (error instanceof DryRun) return error.result;
        throw error;
      }
    },
  };
}

/** What a document names and does not contain, as far as it is there. */
function lookAround(sql: Sql, document: OperatorDocument): Promise<Omit<Surroundings, 'registry'>> {
  const { partnerCategories = [], bookingRules = [], venues } = document;
  const products = venues.flatMap((venue) => venue.products);
  const rules = [
    ...bookingRules,
    ...[...venues, ...products].flatMap((owner) => owner.availabilityRules ?? []),
  ];
  const references = [...partnerCategories, ...rules].flatMap(({ partners = [] }) => partners);
  const categories = products.flatMap(({ category }) => category ?? []);
  const venueTypes = venues.flatMap(({ types }) => types);
  return inSnapshot(sql, async (tx) => {
    const partners = await listPartners(tx, { references });
    const known = await findVocabulary(tx, { categories, venueTypes });
    return {
      partners: new Map(partners.map(({ id, reference }) => [reference, id])),
      categories: new Set(known.categories),
      venueTypes: new Set(known.venueTypes),
    };
  });
}

/** Kinds of which nothing was changed are left out. */
function shown(renumbering: Renumbering): ImportResult['renumbered'] {
  const changed = Object.entries(renumbering).filter(([, changes]) => changes.size > 0);
  return Object.fromEntries(changed.map(([kind, changes]) => [kind, Object.fromEntries(changes)]));
}
