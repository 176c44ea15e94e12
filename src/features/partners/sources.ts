/** Sources: what an operator's systems call the origin of bookings, and which partner that is. A partner has one. */
import { inSnapshot, type Tx } from '../../db/database.ts';
import type { Actor } from '../../http/auth/actor.ts';
import { type PageOf, pageOf, windowOf } from '../../http/validation/paging.ts';
import { type Problem, problem } from '../../kernel/problem.ts';
import { getOperator, holdOperator, type PlatformDeps } from '../operators/service.ts';
import { getPartner, holdPartner } from './context.ts';
import type { AssociationPath, NewSource, Source, SourcePath, SourceQuery } from './schema.ts';
import {
  deleteSource,
  findSource,
  findSourceNamed,
  findSourceOf,
  insertSource,
  linkSource,
  listSources,
  updateSource,
} from './store.ts';

export interface Sources {
  list(operatorId: number, query: SourceQuery): Promise<PageOf<Source>>;
  get(path: SourcePath): Promise<Source>;
  create(actor: Actor, operatorId: number, source: NewSource): Promise<Source>;
  /** Links an unresolved source to the partner that it stands for. */
  resolve(actor: Actor, path: SourcePath, partnerId: number, ifMatch: string | undefined): Promise<Source>;
  change(actor: Actor, path: SourcePath, change: NewSource, ifMatch: string | undefined): Promise<Source>;
  remove(actor: Actor, path: SourcePath, ifMatch: string | undefined): Promise<void>;
  /** The one that stands for a partner at an operator. */
  getOf(path: AssociationPath): Promise<Source>;
  unlink(actor: Actor, path: AssociationPath, ifMatch: string | undefined): Promise<void>;
}

const aboutSource = ({ id, operatorId }: { id: number; operatorId: number }) => ({
  operatorId,
  subject: `source ${id}`,
});

export function createSources({ sql, auditLog }: PlatformDeps): Sources {
  async function get(tx: Tx, { operatorId, sourceId }: SourcePath): Promise<Source> {
    await getOperator(tx, operatorId);
    const source = await findSource(tx, operatorId, sourceId);
    if (source) return source;
    throw problem('PMAP-N-010', { detail: `Operator ${operatorId} has no source ${sourceId}.` });
  }

  async function getOf(tx: Tx, { operatorId, partnerId }: AssociationPath): Promise<Source> {
    await getPartner(tx, partnerId);
    await getOperator(tx, operatorId);
    const source = await findSourceOf(tx, operatorId, partnerId);
    if (source) return source;
    throw noSourceOf({ operatorId, partnerId });
  }

  /** What every change of a source has in common. */
  const changing = (actor: Actor, action: string, path: SourcePath, ifMatch: string | undefined) => ({
    ...aboutSource({ id: path.sourceId, operatorId: path.operatorId }),
    actor,
    action,
    ifMatch,
    async find(tx: Tx) {
      await holdOperator(tx, path.operatorId);
      return get(tx, path);
    },
  });

  return {
    list: (operatorId, query) =>
      inSnapshot(sql, async (tx) => {
        await getOperator(tx, operatorId);
        const { found, total } = await listSources(tx, operatorId, query.isResolved, windowOf(query));
        return pageOf(found, total, query);
      }),

    get: (path) => get(sql, path),

    create: (actor, operatorId, source) =>
      auditLog.create({
        actor,
        action: 'source.create',
        async write(tx) {
          await holdOperator(tx, operatorId);
          if (source.partnerId !== null) await holdPartner(tx, source.partnerId);
          const namesake = await findSourceNamed(tx, operatorId, source.name);
          if (namesake) throw nameTaken(namesake, source.partnerId);
          await assertHasNone(tx, operatorId, source.partnerId);
          const sourceId = await insertSource(tx, operatorId, source);
          return get(tx, { operatorId, sourceId });
        },
        about: (created) => aboutSource(created),
      }),

    resolve: (actor, path, partnerId, ifMatch) =>
      auditLog.change({
        ...changing(actor, 'source.resolve', path, ifMatch),
        async write(tx, before) {
          await holdPartner(tx, partnerId);
          if (before.partner)
            throw problem('PMAP-N-012', {
              detail: `It is assigned to ${before.partner.name}; use PUT to change that.`,
            });
          await assertHasNone(tx, path.operatorId, partnerId);
          await linkSource(tx, path.sourceId, partnerId);
        },
      }),

    change: (actor, path, change, ifMatch) =>
      auditLog.change({
        ...changing(actor, 'source.change', path, ifMatch),
        async write(tx, before) {
          if (change.partnerId !== null) await holdPartner(tx, change.partnerId);
          const namesake = await findSourceNamed(tx, path.operatorId, change.name);
          if (namesake && namesake.id !== path.sourceId) throw nameTaken(namesake, change.partnerId);
          if (!before.partner && change.partnerId !== null)
            throw problem('PMAP-N-011', { detail: 'Assign it with POST …/resolve first.' });
          await assertRelinkable(tx, path, change.partnerId);
          await updateSource(tx, path.sourceId, change);
        },
      }),

    remove: (actor, path, ifMatch) =>
      auditLog.remove({
        ...changing(actor, 'source.delete', path, ifMatch),
        write: (tx) => deleteSource(tx, path.sourceId),
      }),

    getOf: (path) => getOf(sql, path),

    async unlink(actor, path, ifMatch) {
      const { id: sourceId } = await getOf(sql, path);
      await auditLog.change({
        ...changing(actor, 'source.unlink', { operatorId: path.operatorId, sourceId }, ifMatch),
        async write(tx, before) {
          // It may stand for another partner by now.
          if (before.partner?.id !== path.partnerId) throw noSourceOf(path);
          await linkSource(tx, sourceId, null);
        },
      });
    },
  };
}

/** The name that systems use for a partner from now on: a new source, or an existing one without a partner. */
export async function claimSource(tx: Tx, path: AssociationPath, name: string): Promise<void> {
  const { operatorId, partnerId } = path;
  const source = await findSourceNamed(tx, operatorId, name);
  if (source?.partner?.id === partnerId) return;
  if (source?.partner) throw nameTaken(source, partnerId);
  await assertHasNone(tx, operatorId, partnerId);
  if (source) await linkSource(tx, source.id, partnerId);
  else await insertSource(tx, operatorId, { name, partnerId });
}

const noSourceOf = ({ operatorId, partnerId }: AssociationPath): Problem =>
  problem('PMAP-N-007', { detail: `Operator ${operatorId} has no source for partner ${partnerId}.` });

function nameTaken({ id, name, partner }: Source, wantedBy: number | null): Problem {
  const isOthers = partner !== null && wantedBy !== null && partner.id !== wantedBy;
  return isOthers
    ? problem('PMAP-N-009', { detail: `The source ${name} is assigned to ${partner.name}.` })
    : problem('PMAP-N-008', { detail: `There is a source ${name} already: ${id}.` });
}

async function assertHasNone(tx: Tx, operatorId: number, partnerId: number | null): Promise<void> {
  const source = partnerId === null ? undefined : await findSourceOf(tx, operatorId, partnerId);
  if (!source) return;
  throw problem('PMAP-N-008', { detail: `The partner has the source ${source.name} there already.` });
}

async function assertRelinkable(tx: Tx, path: SourcePath, partnerId: number | null): Promise<void> {
  const source = partnerId === null ? undefined : await findSourceOf(tx, path.operatorId, partnerId);
  if (!source || source.id === path.sourceId) return;
  throw problem('PMAP-N-009', { detail: `The partner has the source ${source.name} there already.` });
}
