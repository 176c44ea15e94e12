/** A partner that speaks OCTO: reserves, extends, changes, confirms and cancels, and sends again what was cut off. */
import { randomUUID } from 'node:crypto';
import type { Spot } from '../world.ts';
import { type Caller, insist } from './caller.ts';

const ALL = '/octo/bookings';
const ONE = `${ALL}/{uuid}`;
const CONTACT = { firstName: 'Otto', lastName: 'Reseller', emailAddress: 'otto@example.com' };

export async function keepReselling(caller: Caller, spots: readonly Spot[]): Promise<void> {
  const { ask, chance, pick } = caller;
  for (let count = 0; !caller.stage.isOver(); count += 1) {
    const { productId, starts, kind } = pick(spots);
    if (count % 10 === 0) await lookAround(caller, productId);
    const { date } = pick(starts);
    const unit = kind === 'gig' ? 'ticket' : 'guest';
    const query = {
      ...{ productId, optionId: 'DEFAULT', localDateStart: date, localDateEnd: date },
      units: [{ id: unit, quantity: 2 }],
    };
    if (chance(0.1)) await ask({ route: 'POST /octo/availability/calendar', body: query });
    const told = await ask({ route: 'POST /octo/availability', body: query });
    const free: { id: string }[] =
      told.status === 200 ? told.answer.filter(({ available }: { available: boolean }) => available) : [];
    if (free.length > 0) await reserve(caller, { productId, unit, starts: free.map(({ id }) => id) });
    await caller.rest(200);
  }
}

async function lookAround({ ask }: Caller, id: string): Promise<void> {
  await ask({ route: 'GET /octo/supplier' });
  await ask({ route: 'GET /octo/capabilities' });
  await ask({ route: 'GET /octo/products' });
  await ask({ route: 'GET /octo/products/{id}', params: { id } });
}

interface Choice {
  productId: string;
  unit: string;
  starts: readonly string[];
}

async function reserve(caller: Caller, { productId, unit, starts }: Choice): Promise<void> {
  const { ask, chance, pick } = caller;
  const uuid = randomUUID();
  const units = (count: number) => Array.from({ length: count }, () => ({ unitId: unit }));
  const body = {
    ...{ uuid, productId, optionId: 'DEFAULT', availabilityId: pick(starts), unitItems: units(2) },
    resellerReference: `octo-${uuid}`,
    expirationMinutes: 5,
  };
  const told = await insist(caller, { route: `POST ${ALL}`, body });
  if (told.status !== 200) return;
  const about = { params: { uuid } };
  if (chance(0.2)) await ask({ route: `POST ${ALL}`, body });
  if (chance(0.2))
    await insist(caller, { route: `POST ${ONE}/extend`, ...about, body: { expirationMinutes: 10 } });
  if (chance(0.3)) await ask({ route: `PATCH ${ONE}`, ...about, body: { availabilityId: pick(starts) } });
  if (chance(0.15)) return;
  if (chance(0.75)) {
    const confirmed = await insist(caller, {
      route: `POST ${ONE}/confirm`,
      ...about,
      body: { contact: CONTACT },
    });
    if (confirmed.status === 200 && chance(0.4))
      await ask({ route: `PATCH ${ONE}`, ...about, body: { unitItems: units(1) } });
  }
  if (chance(0.3)) await ask({ route: `GET ${ONE}`, ...about });
  if (chance(0.2)) await ask({ route: `GET ${ALL}`, query: { resellerReference: body.resellerReference } });
  if (chance(0.4)) await insist(caller, { route: `POST ${ONE}/cancel`, ...about, body: { reason: 'Rain' } });
}
