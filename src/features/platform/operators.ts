import { inSnapshot } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/paging.ts';
import { problem } from '../../kernel/problem.ts';
import { lockSubject } from '../audit/service.ts';
import { createOperator } from '../identity/service.ts';
import { getOperator, type PlatformDeps } from './context.ts';
import type { NewOperator, Operator, OperatorChange, OperatorQuery } from './operator-schema.ts';
import { settingsIn } from './operator-settings.ts';
import {
  deleteOperator,
  findNamesake,
  hasHistory,
  listBelongings,
  listOperators,
  updateOperator,
} from './operator-store.ts';

export interface Operators {
  list(query: OperatorQuery): Promise<PageOf<Operator>>;
  get(id: number): Promise<Operator>;
  create(actor: Actor, operator: NewOperator): Promise<Operator>;
  change(actor: Actor, id: number, change: OperatorChange, ifMatch: string | undefined): Promise<Operator>;
  remove(actor: Actor, id: number, ifMatch: string | undefined): Promise<void>;
}

/** No two operators get the same name or id while one holds this. */
const ALL = 'operators';
const aboutOperator = (id: number) => ({ operatorId: id, subject: `operator ${id}` });

export function createOperators({ sql, trail }: PlatformDeps): Operators {
  return {
    list: (query) =>
      inSnapshot(sql, async (tx) => {
        const { operators, total } = await listOperators(tx, query.name, windowOf(query));
        return pageOf(operators, total, query);
      }),

    get: (id) => getOperator(sql, id),

    async create(actor, { id, name, settings: sent = {} }) {
      const settings = settingsIn(sent);
      return trail.create({
        actor,
        action: 'operator.create',
        within: ALL,
        async write(tx) {
          if ((await findNamesake(tx, name, null)) !== undefined) throw nameTaken(name);
          if (id !== undefined && (await hasHistory(tx, id)))
            throw problem('OPRTR-N-004', { detail: `There is or was an operator ${id} already.` });
          const created = await createOperator(tx, { ...(id !== undefined && { id }), name });
          await updateOperator(tx, created.id, { name, settings });
          return getOperator(tx, created.id);
        },
        about: (created) => aboutOperator(created.id),
      });
    },

    async change(actor, id, { name, settings: sent }, ifMatch) {
      const settings = settingsIn(sent);
      return trail.change({
        ...aboutOperator(id),
        actor,
        action: 'operator.change',
        ifMatch,
        find: (tx) => getOperator(tx, id),
        async write(tx) {
          await lockSubject(tx, ALL);
          if ((await findNamesake(tx, name, id)) !== undefined) throw nameTaken(name);
          await updateOperator(tx, id, { name, settings });
        },
      });
    },

    remove: (actor, id, ifMatch) =>
      trail.remove({
        ...aboutOperator(id),
        actor,
        action: 'operator.delete',
        ifMatch,
        find: (tx) => getOperator(tx, id),
        async write(tx) {
          const belongings = await listBelongings(tx, id);
          if (belongings.length > 0)
            throw problem('OPRTR-N-005', { detail: `The operator still has ${belongings.join(' and ')}.` });
          await deleteOperator(tx, id);
        },
      }),
  };
}

const nameTaken = (name: string) =>
  problem('OPRTR-N-004', { detail: `There is an operator called ${name} already.` });
