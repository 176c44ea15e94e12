import type { Tx } from '../../db/database.ts';
import { type Actor, assertPlatform } from '../../http/auth/actor.ts';
import { problem } from '../../kernel/problem.ts';
import { getOperator, holdOperator, notFound } from '../operators/service.ts';
import {
  deleteOperatorSystem,
  hasVenuesOn,
  listOperatorSystems,
  type OperatorSystemRow,
  saveOperatorSystem,
} from './account-store.ts';
import type { Connections } from './connections.ts';
import type { PlatformSystemsDeps } from './platform-systems.ts';
import {
  type AccountForm,
  MOST_SETTINGS,
  type SettingValue,
  type System,
  type SystemChange,
  type SystemPath,
} from './schema.ts';
import { faultsIn, sentenceOf } from './settings-check.ts';
import { keepSystem } from './store.ts';

/** What operators have at systems, besides credentials. */
export interface OperatorSystems {
  list(operatorId: number): Promise<{ data: System[] }>;
  get(path: SystemPath): Promise<System>;
  /** What an account at the system consists of. */
  form(path: SystemPath): Promise<AccountForm>;
  save(actor: Actor, path: SystemPath, change: SystemChange, ifMatch: string | undefined): Promise<System>;
  remove(actor: Actor, path: SystemPath, ifMatch: string | undefined): Promise<void>;
}

export function createOperatorSystems({ sql, auditLog, connections }: PlatformSystemsDeps): OperatorSystems {
  const { accounts, added, fixedSlugs } = connections;

  async function find(tx: Tx, { operatorId, tms }: SystemPath): Promise<System | undefined> {
    const [row] = await listOperatorSystems(tx, operatorId, tms);
    return row && systemView(row, connections);
  }

  async function get(tx: Tx, path: SystemPath): Promise<System> {
    await getOperator(tx, path.operatorId);
    const system = await find(tx, path);
    if (system) return system;
    throw notFound(`Operator ${path.operatorId} does not use ${path.tms}.`);
  }

  /** Owners change what their operator uses; the platform decides which systems those are. */
  async function findToSave(tx: Tx, actor: Actor, path: SystemPath): Promise<System | undefined> {
    const system = await find(tx, path);
    if (!system) assertPlatform(actor);
    return system;
  }

  const aboutSystem = ({ operatorId, tms }: SystemPath) => ({
    operatorId,
    subject: `system ${operatorId} ${tms}`,
  });

  return {
    async list(operatorId) {
      await getOperator(sql, operatorId);
      const rows = await listOperatorSystems(sql, operatorId, null);
      return { data: rows.map((row) => systemView(row, connections)) };
    },

    get: (path) => get(sql, path),

    async form(path) {
      await get(sql, path);
      const protocol = added.setupOf(path.tms)?.protocol;
      if (!protocol) return { settings: null, credentials: null };
      return { settings: { ...protocol.accountSettings }, credentials: { ...protocol.credentials } };
    },

    async save(actor, path, { settings = {} }, ifMatch) {
      // Before settings are looked at: what is said about them tells which systems there are.
      await findToSave(sql, actor, path);
      const checked = await settingsFor(path.tms, settings, connections);
      const saved = await auditLog.change({
        ...aboutSystem(path),
        actor,
        action: 'system.save',
        ifMatch,
        async find(tx) {
          await holdOperator(tx, path.operatorId);
          return findToSave(tx, actor, path);
        },
        async write(tx) {
          if (!fixedSlugs.has(path.tms) && !(await keepSystem(tx, path.tms))) throw notConnected(path.tms);
          await saveOperatorSystem(tx, path.operatorId, path.tms, checked);
        },
      });
      accounts.forget(path);
      return saved;
    },

    async remove(actor, path, ifMatch) {
      await auditLog.remove({
        ...aboutSystem(path),
        actor,
        action: 'system.delete',
        ifMatch,
        async find(tx) {
          await holdOperator(tx, path.operatorId);
          return get(tx, path);
        },
        async write(tx) {
          if (await hasVenuesOn(tx, path.operatorId, path.tms))
            throw problem('OPRTR-N-005', { detail: `The operator still has venues on ${path.tms}.` });
          await deleteOperatorSystem(tx, path.operatorId, path.tms);
        },
      });
      accounts.forget(path);
    },
  };
}

function systemView(
  { tms, name, settings, hasCredentials }: OperatorSystemRow,
  { registry }: Connections,
): System {
  const connector = registry.get(tms);
  return {
    tms,
    name,
    kind: connector ? (connector.flavour === 'local' ? 'built-in' : 'remote') : null,
    capability: connector?.capabilities.capability ?? null,
    settings,
    hasCredentials,
  };
}

const SETTING_NAME = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;
const LONGEST_SETTING = 1000;

const isSettingValue = (value: unknown): value is SettingValue =>
  Number.isFinite(value) ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.length <= LONGEST_SETTING);

const refusal = (detail: string) => problem('OPRTR-N-006', { detail });
const notConnected = (tms: string) => refusal(`This service is not connected with a system called ${tms}.`);

/** Throws `OPRTR-N-006` for an unknown system and for settings that the system does not accept. */
async function settingsFor(
  tms: string,
  settings: Readonly<Record<string, unknown>>,
  { registry, added, addresses }: Connections,
): Promise<Record<string, SettingValue>> {
  const connector = registry.get(tms);
  if (!connector) throw notConnected(tms);
  const entries = Object.entries(settings);
  if (connector.flavour === 'local' && entries.length > 0)
    throw refusal(`${tms} is built in and has no settings.`);
  if (entries.length > MOST_SETTINGS) throw refusal(`A system has at most ${MOST_SETTINGS} settings.`);
  const checked: Record<string, SettingValue> = {};
  for (const [name, value] of entries) {
    if (!SETTING_NAME.test(name))
      throw refusal('A setting is named with 1 to 50 letters, digits and "_", a letter first.');
    if (!isSettingValue(value))
      throw refusal(
        `${name} must be a number, a boolean or a text of at most ${LONGEST_SETTING} characters.`,
      );
    checked[name] = value;
  }
  const protocol = added.setupOf(tms)?.protocol;
  const faults =
    (protocol && faultsIn(protocol.accountSettings, checked, 'settings')) ??
    (await addresses.faultsIn(checked, 'settings'));
  if (faults) throw problem('OPRTR-N-006', { detail: sentenceOf(faults), errors: faults });
  return checked;
}
