/** Somebody of the platform, who reads everything under `/manage` in turn, and makes and removes small things. */
import { readOperations } from '../../abuse/document.ts';
import type { Spot } from '../world.ts';
import type { Caller } from './caller.ts';

/** All routes of both OpenAPI documents, such as `GET /venues`. */
export function publishedRoutes(): string[] {
  return readOperations().map(({ name }) => name);
}

export async function keepHouse(caller: Caller, spots: readonly Spot[]): Promise<void> {
  const reads = publishedRoutes().filter((route) => route.startsWith('GET /manage/'));
  for (let count = 0; !caller.stage.isOver(); count += 1) {
    const route = reads[count % reads.length] ?? '';
    await caller.ask({ route, params: idsFor(caller.pick(spots)) });
    if (count % 4 === 0) await makeAndRemove(caller, count, caller.pick(spots));
    await caller.rest(60);
  }
}

const UNKNOWN = '019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60';

/** Ids that exist where they can be known beforehand; the others are answered with 404, which is an answer too. */
function idsFor({ operatorId, venueId }: Spot): Record<string, string | number> {
  const tms = venueId.split('|')[1] ?? '';
  return {
    ...{ operatorId, venueId, tms, partnerId: 1, clientId: 'demo-partner', slug: 'restaurant' },
    ...{ productKey: 'place', categoryId: 1, sourceId: 1, areaId: 1, zoneId: 1, tableId: 1, spaceId: 1 },
    ...{ combinationId: 1, overrideId: 1, packageId: 1, menuId: 1, occurrenceId: 1 },
    ...{ bookingId: UNKNOWN, ruleId: UNKNOWN, userId: UNKNOWN, inviteId: UNKNOWN, uploadId: UNKNOWN },
    entryId: UNKNOWN,
  };
}

async function makeAndRemove({ ask, pick, name }: Caller, count: number, spot: Spot): Promise<void> {
  const { venueId, operatorId } = spot;
  const slug = `${name}-${count}`;
  const made = pick([
    {
      at: '/manage/partners',
      id: 'partnerId',
      params: {},
      body: { reference: slug, name: slug, allowSimilarName: true },
    },
    { at: '/manage/clients', id: 'clientId', params: {}, body: { kind: 'agent', id: slug } },
    { at: '/manage/venues/{venueId}/packages', id: 'packageId', params: { venueId }, body: PACKAGE },
    { at: '/manage/venues/{venueId}/menus', id: 'menuId', params: { venueId }, body: MENU },
    {
      at: '/manage/operators/{operatorId}/partner-categories',
      id: 'categoryId',
      params: { operatorId },
      body: { slug, name: slug, partnerIds: [2] },
    },
    { at: '/manage/operators', id: 'operatorId', params: {}, body: { name: slug, settings: {} } },
  ]);
  const answer = await ask({ route: `POST ${made.at}`, params: made.params, body: made.body });
  const slugged = { params: { slug } };
  await ask({ route: 'PUT /manage/venue-types/{slug}', ...slugged, body: { name: slug } });
  await ask({ route: 'DELETE /manage/venue-types/{slug}', ...slugged });
  if (answer.status !== 201) return;
  const params = { ...made.params, [made.id]: answer.answer.id };
  await ask({ route: `GET ${made.at}/{${made.id}}`, params });
  await ask({ route: `DELETE ${made.at}/{${made.id}}`, params });
}

const PACKAGE = { name: 'Sharing feast', description: 'Six dishes', pricePence: 4500, pricePer: 'guest' };
const MENU = { name: 'Set menu', items: [] };
