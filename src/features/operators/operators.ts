import Format from 'typebox/format';
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { problem } from '../../kernel/problem.ts';
import { isTimeZone } from '../../kernel/zone-time.ts';
import { lockSubject } from '../audit/service.ts';
import { createOperator } from '../identity/service.ts';
import { getOperator, type PlatformDeps } from './context.ts';
import type {
  NewOperator,
  Operator,
  OperatorChange,
  OperatorQuery,
  OperatorSettings,
  PaymentAccount,
} from './schema.ts';
import {
  deleteOperator,
  findOperator,
  findPaymentAccount,
  hasHistory,
  hasNamesake,
  listBelongings,
  listOperators,
  updateOperator,
  updatePaymentAccount,
} from './store.ts';

export interface Operators {
  list(query: OperatorQuery): Promise<PageOf<Operator>>;
  get(id: number): Promise<Operator>;
  create(actor: Actor, operator: NewOperator): Promise<Operator>;
  change(actor: Actor, id: number, change: OperatorChange, ifMatch: string | undefined): Promise<Operator>;
  getPaymentAccount(id: number): Promise<PaymentAccount>;
  /** Payments from now on go there; those that were begun stay where they are. */
  setPaymentAccount(
    actor: Actor,
    id: number,
    account: PaymentAccount,
    ifMatch: string | undefined,
  ): Promise<PaymentAccount>;
  remove(actor: Actor, id: number, ifMatch: string | undefined): Promise<void>;
}

/** No two operators get the same name or id while one holds this. */
export const ALL_OPERATORS = 'operators';
const aboutOperator = (id: number) => ({ operatorId: id, subject: `operator ${id}` });

export function createOperators({ sql, auditLog }: PlatformDeps): Operators {
  return {
    list: (query) =>
      inSnapshot(sql, async (tx) => {
        const { operators, total } = await listOperators(tx, query.name, windowOf(query));
        return pageOf(operators, total, query);
      }),

    get: (id) => getOperator(sql, id),

    async create(actor, { id, name, settings: sent = {} }) {
      const settings = settingsIn(sent);
      return auditLog.create({
        actor,
        action: 'operator.create',
        within: ALL_OPERATORS,
        async write(tx) {
          await assertNewOperator(tx, { id, name });
          const created = await createOperator(tx, { ...(id !== undefined && { id }), name });
          await updateOperator(tx, created.id, { name, settings });
          return getOperator(tx, created.id);
        },
        about: (created) => aboutOperator(created.id),
      });
    },

    async change(actor, id, { name, settings: sent }, ifMatch) {
      const settings = settingsIn(sent);
      return auditLog.change({
        ...aboutOperator(id),
        actor,
        action: 'operator.change',
        ifMatch,
        find: (tx) => getOperator(tx, id),
        async write(tx) {
          await lockSubject(tx, ALL_OPERATORS);
          await assertNobodyIsCalled(tx, name, id);
          await updateOperator(tx, id, { name, settings });
        },
      });
    },

    getPaymentAccount: (id) => getPaymentAccount(sql, id),

    setPaymentAccount: (actor, id, account, ifMatch) =>
      auditLog.change({
        ...aboutOperator(id),
        actor,
        action: 'operator.set-payment-account',
        ifMatch,
        find: (tx) => getPaymentAccount(tx, id),
        write: (tx) => updatePaymentAccount(tx, id, account),
      }),

    remove: (actor, id, ifMatch) =>
      auditLog.remove({
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

async function getPaymentAccount(tx: Tx, id: number): Promise<PaymentAccount> {
  await getOperator(tx, id);
  return (await findPaymentAccount(tx, id)) ?? { account: null };
}

/** Throws where another operator has the name, or has or ever had the id. Call it under the lock on all operators. */
export async function assertNewOperator(
  tx: Tx,
  { id, name }: { id?: number | undefined; name: string },
): Promise<void> {
  await assertNobodyIsCalled(tx, name, null);
  if (id === undefined) return;
  const holder = await findOperator(tx, id);
  if (holder) throw taken(`There is an operator ${id} already, called ${holder.name}.`);
  if (await hasHistory(tx, id)) throw taken(`There was an operator ${id}; leave the id out to get another.`);
}

async function assertNobodyIsCalled(tx: Tx, name: string, exceptId: number | null): Promise<void> {
  if (await hasNamesake(tx, name, exceptId)) throw taken(`There is an operator called ${name} already.`);
}

const taken = (detail: string) => problem('OPRTR-N-004', { detail });

interface Setting {
  isValid(text: string): boolean;
  /** Completes a sentence that starts with the name of the setting. */
  message: string;
}

const email: Setting = {
  isValid: (text) => Format.Test('email', text),
  message: 'must be an email address or null',
};
const timeZone: Setting = { isValid: isTimeZone, message: 'must be an IANA time zone or null' };

const SETTINGS: Record<keyof OperatorSettings, Setting> = {
  contactEmail: email,
  bookingReplyTo: email,
  defaultTimeZone: timeZone,
};

/** Throws `OPRTR-N-006` on the first setting that is unknown or invalid; settings left out are null. */
export function settingsIn(sent: Readonly<Record<string, unknown>>): OperatorSettings {
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined)
    throw problem('OPRTR-N-006', { detail: `There is no setting ${JSON.stringify(unknown.slice(0, 100))}.` });
  return {
    contactEmail: valueIn(sent, 'contactEmail'),
    bookingReplyTo: valueIn(sent, 'bookingReplyTo'),
    defaultTimeZone: valueIn(sent, 'defaultTimeZone'),
  };
}

function valueIn(sent: Readonly<Record<string, unknown>>, name: keyof OperatorSettings): string | null {
  const value = sent[name] ?? null;
  if (value === null) return null;
  const { isValid, message } = SETTINGS[name];
  if (typeof value === 'string' && isValid(value)) return value;
  throw problem('OPRTR-N-006', { detail: `${name} ${message}.` });
}
