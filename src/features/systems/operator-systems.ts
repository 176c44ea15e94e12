import type { Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { problem } from '../../kernel/problem.ts';
import type { Registry } from '../../tms/registry.ts';
import { getOperator, holdOperator, notFound, type PlatformDeps } from './context.ts';
import {
  MOST_SETTINGS,
  type SettingValue,
  type System,
  type SystemChange,
  type SystemPath,
} from './schema.ts';
import { deleteSystem, hasVenuesOn, listSystems, type SystemRow, saveSystem } from './store.ts';

export interface Systems {
  list(operatorId: number): Promise<{ data: System[] }>;
  get(path: SystemPath): Promise<System>;
  save(actor: Actor, path: SystemPath, change: SystemChange, ifMatch: string | undefined): Promise<System>;
  remove(actor: Actor, path: SystemPath, ifMatch: string | undefined): Promise<void>;
}

export function createSystems({ sql, auditLog, registry }: PlatformDeps): Systems {
  async function find(tx: Tx, { operatorId, tms }: SystemPath): Promise<System | undefined> {
    const [row] = await listSystems(tx, operatorId, tms);
    return row && systemView(row, registry);
  }

  async function get(tx: Tx, path: SystemPath): Promise<System> {
    await getOperator(tx, path.operatorId);
    const system = await find(tx, path);
    if (system) return system;
    throw notFound(`Operator ${path.operatorId} does not use ${path.tms}.`);
  }

  const aboutSystem = ({ operatorId, tms }: SystemPath) => ({
    operatorId,
    subject: `system ${operatorId} ${tms}`,
  });

  return {
    async list(operatorId) {
      await getOperator(sql, operatorId);
      const rows = await listSystems(sql, operatorId, null);
      return { data: rows.map((row) => systemView(row, registry)) };
    },

    get: (path) => get(sql, path),

    async save(actor, path, { settings = {} }, ifMatch) {
      const checked = settingsFor(path.tms, settings, registry);
      return auditLog.change({
        ...aboutSystem(path),
        actor,
        action: 'system.save',
        ifMatch,
        async find(tx) {
          await holdOperator(tx, path.operatorId);
          return find(tx, path);
        },
        write: (tx) => saveSystem(tx, path.operatorId, path.tms, checked),
      });
    },

    remove: (actor, path, ifMatch) =>
      auditLog.remove({
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
          await deleteSystem(tx, path.operatorId, path.tms);
        },
      }),
  };
}

function systemView({ tms, settings, hasCredentials }: SystemRow, registry: Registry): System {
  const connector = registry.get(tms);
  return {
    tms,
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

/** Throws `OPRTR-N-006` for an unknown system and for settings that the system does not accept. */
function settingsFor(
  tms: string,
  settings: Readonly<Record<string, unknown>>,
  registry: Registry,
): Record<string, SettingValue> {
  const refusal = (detail: string) => problem('OPRTR-N-006', { detail });
  const connector = registry.get(tms);
  if (!connector) throw refusal(`This service is not connected with a system called ${tms}.`);
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
  return checked;
}
