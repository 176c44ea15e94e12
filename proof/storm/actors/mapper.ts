/** The platform gives a partner a venue and takes it away again, while that partner books there. */
import type { Spot } from '../world.ts';
import { type Caller, insist } from './caller.ts';
import { MAPPING_TERMS } from './staff.ts';

export const MAPPING = '/manage/partners/{partnerId}/mappings/{venueId}';

export async function keepMapping(caller: Caller, partnerId: number, { venueId }: Spot): Promise<void> {
  const about = { params: { partnerId, venueId } };
  while (!caller.stage.isOver()) {
    await insist(caller, {
      route: `PUT ${MAPPING}`,
      ...about,
      body: { ...MAPPING_TERMS, productKeys: ['place'] },
    });
    await caller.ask({ route: `GET ${MAPPING}`, ...about });
    await caller.rest(6000);
    await insist(caller, { route: `DELETE ${MAPPING}`, ...about });
    await caller.rest(3000);
  }
}
