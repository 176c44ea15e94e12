import type { VenueId } from '../../src/kernel/ids.ts';
import type { Services } from '../../src/services.ts';

const request = {
  actor: { kind: 'client', id: 'demo-admin', name: 'demo-admin', isPlatform: true, roles: new Map() },
  ifMatch: undefined,
} as const;

/** As the platform does it, where a test is not about who does. */
export const closeVenue = ({ services }: { services: Services }, id: VenueId) =>
  services.catalogue.venues.close(request, id);

export const reopenVenue = ({ services }: { services: Services }, id: VenueId) =>
  services.catalogue.venues.reopen(request, id);
