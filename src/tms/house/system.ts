import type { LocalSystem } from '../local-system.ts';
import { catalogue } from './catalogue.ts';
import { createConfigCache, uncachedConfigs } from './config-cache.ts';
import { createHouse } from './connector.ts';
import { deskStore as desk } from './desk-store.ts';
import { layout } from './layout-store.ts';

/** The reservation book: guests sit at tables, which its venues lay out. */
export const house: LocalSystem<'house'> = {
  slug: 'house',
  connect: (notifications) =>
    createHouse(
      notifications
        ? { configs: createConfigCache(notifications), notifications }
        : { configs: uncachedConfigs },
    ),
  catalogue,
  layout,
  desk,
};
