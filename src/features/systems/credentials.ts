/** Credentials of operators at systems: sealed in the database, passed to connectors, and never shown again. */
import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { nowOf } from '../../kernel/clock.ts';
import { seal } from '../../kernel/crypto.ts';
import { problem } from '../../kernel/problem.ts';
import { callFor, type RemoteConnector } from '../../tms/remote.ts';
import { getOperator, holdOperator, notFound } from '../operators/service.ts';
import { deleteCredentials, findCredentials, listOperatorSystems, saveCredentials } from './account-store.ts';
import { sealingContext } from './accounts.ts';
import type { PlatformSystemsDeps } from './platform-systems.ts';
import type { Credentials, NewCredentials, SystemPath } from './schema.ts';
import { faultsIn, sentenceOf } from './settings-check.ts';

export interface SystemCredentials {
  get(path: SystemPath): Promise<Credentials>;
  create(actor: Actor, path: SystemPath, credentials: NewCredentials): Promise<Credentials>;
  replace(
    actor: Actor,
    path: SystemPath,
    credentials: NewCredentials,
    ifMatch: string | undefined,
  ): Promise<Credentials>;
  remove(actor: Actor, path: SystemPath, ifMatch: string | undefined): Promise<void>;
}

const ASK_AGAIN_SECONDS = 30;

export function createCredentials(deps: PlatformSystemsDeps): SystemCredentials {
  const { sql, clock, auditLog, registry, encryptionKeys } = deps;
  const { accounts, added, addresses } = deps.connections;

  async function find(tx: Tx, { operatorId, tms }: SystemPath): Promise<Credentials | undefined> {
    const [system] = await listOperatorSystems(tx, operatorId, tms);
    if (!system) throw notFound(`Operator ${operatorId} does not use ${tms}.`);
    return findCredentials(tx, operatorId, tms);
  }

  async function get(tx: Tx, path: SystemPath): Promise<Credentials> {
    const credentials = await find(tx, path);
    if (credentials) return credentials;
    throw problem('OPRTR-N-008', { detail: `The operator has no credentials for ${path.tms}.` });
  }

  async function assertNone(tx: Tx, path: SystemPath): Promise<undefined> {
    if (await find(tx, path))
      throw problem('OPRTR-N-007', { detail: `The operator has credentials for ${path.tms} already.` });
    return undefined;
  }

  const save = (tx: Tx, { operatorId, tms }: SystemPath, fields: Record<string, string>) =>
    saveCredentials(tx, {
      operatorId,
      tms,
      fieldNames: Object.keys(fields).sort(),
      fields: seal(encryptionKeys, JSON.stringify(fields), sealingContext({ operatorId, tms })),
      now: nowOf(clock),
    });

  /** A database that was copied into the sandbox may have systems that are elsewhere: nothing is told or sent there. */
  async function assertAllowed({ tms }: SystemPath): Promise<void> {
    await addresses.faultsIn(added.setupOf(tms)?.settings ?? {}, 'settings');
  }

  function connectorOf(tms: string): RemoteConnector {
    const connector = registry.get(tms);
    if (connector?.flavour === 'remote') return connector;
    const reason = connector ? 'is built in and takes no credentials' : 'is not connected with this service';
    throw problem('OPRTR-N-009', { detail: `${tms} ${reason}.` });
  }

  /** The system is called before the transaction begins, so that no lock is held while it answers. */
  async function checked(path: SystemPath, sent: NewCredentials['fields']): Promise<Record<string, string>> {
    const connector = connectorOf(path.tms);
    const fields = fieldsIn(sent);
    const { operatorId } = path;
    const protocol = added.setupOf(path.tms)?.protocol;
    const faults = protocol && faultsIn(protocol.credentials, { ...fields }, 'fields');
    if (faults) throw problem('OPRTR-N-009', { detail: sentenceOf(faults), errors: faults });
    const [system] = await listOperatorSystems(sql, operatorId, path.tms);
    const account = { settings: system?.settings ?? {}, credentials: fields };
    const outcome = await connector.checkAccount?.(callFor(operatorId), account);
    if (outcome === undefined || outcome.kind === 'ok') return fields;
    if (outcome.kind === 'refused')
      throw problem('OPRTR-N-009', { detail: `${path.tms} does not accept these credentials.` });
    const detail = `${path.tms} cannot check them at the moment. Nothing was stored.`;
    if (outcome.kind === 'rate-limited')
      throw problem('BOOK-R-001', { detail, retryAfterSeconds: outcome.retryAfterSeconds });
    throw problem('BOOK-R-002', { detail, retryAfterSeconds: ASK_AGAIN_SECONDS });
  }

  const aboutCredentials = ({ operatorId, tms }: SystemPath) => ({
    operatorId,
    subject: `credentials ${operatorId} ${tms}`,
  });
  const held = (look: typeof find) => async (tx: Tx, path: SystemPath) => {
    await holdOperator(tx, path.operatorId);
    return look(tx, path);
  };

  return {
    async get(path) {
      await getOperator(sql, path.operatorId);
      await assertAllowed(path);
      return get(sql, path);
    },

    async create(actor, path, { fields: sent }) {
      await getOperator(sql, path.operatorId);
      await assertAllowed(path);
      await assertNone(sql, path);
      const fields = await checked(path, sent);
      const created = await auditLog.create({
        actor,
        action: 'credentials.create',
        async write(tx) {
          await held(assertNone)(tx, path);
          await save(tx, path, fields);
          return get(tx, path);
        },
        about: () => aboutCredentials(path),
      });
      accounts.forget(path);
      return created;
    },

    async replace(actor, path, { fields: sent }, ifMatch) {
      await getOperator(sql, path.operatorId);
      await assertAllowed(path);
      await get(sql, path);
      const fields = await checked(path, sent);
      const replaced = await auditLog.change({
        ...aboutCredentials(path),
        actor,
        action: 'credentials.change',
        ifMatch,
        find: (tx) => held(get)(tx, path),
        write: (tx) => save(tx, path, fields),
      });
      accounts.forget(path);
      return replaced;
    },

    async remove(actor, path, ifMatch) {
      await assertAllowed(path);
      await auditLog.remove({
        ...aboutCredentials(path),
        actor,
        action: 'credentials.delete',
        ifMatch,
        find: (tx) => held(get)(tx, path),
        write: (tx) => deleteCredentials(tx, path.operatorId, path.tms),
      });
      accounts.forget(path);
    },
  };
}

const MOST_FIELDS = 20;
const LONGEST_VALUE = 4000;
const FIELD_NAME = /^[A-Za-z0-9_]{1,50}$/;

function fieldsIn(sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const refusal = (detail: string) => problem('OPRTR-N-009', { detail });
  const entries = Object.entries(sent);
  if (entries.length === 0 || entries.length > MOST_FIELDS)
    throw refusal(`Credentials have 1 to ${MOST_FIELDS} fields.`);
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of entries) {
    if (!FIELD_NAME.test(name)) throw refusal('A field is named with 1 to 50 letters, digits and "_".');
    if (typeof value !== 'string' || value === '' || value.length > LONGEST_VALUE)
      throw refusal(`${name} must be a text of 1 to ${LONGEST_VALUE} characters.`);
    fields[name] = value;
  }
  return fields;
}
