import { manageRoutes, venuePath } from '../../../http/manage-route.ts';
import type { App } from '../../../http/route.ts';
import {
  marketplaceExample as example,
  MarketplaceBody,
  VenueMarketplace as result,
} from '../operator-rules/schema.ts';
import type { Marketplaces } from './marketplace.ts';

const URL = '/manage/venues/:venueId/marketplace';

export function marketplaceRoutes(app: App, marketplaces: Marketplaces): void {
  const routes = manageRoutes(app, 'Manage: availability rules');

  routes.get(URL, {
    access: 'manage:staff',
    operationId: 'getVenueMarketplace',
    summary: 'See which marketplace a venue sells on',
    description: 'A venue that is on none has no partner there.',
    params: venuePath,
    result,
    example,
    problems: ['VENUE-N-001'],
    run: ({ params }) => marketplaces.get(params.venueId),
  });

  routes.put(URL, {
    access: 'manage:manager',
    operationId: 'putVenueMarketplace',
    summary: 'Put a venue on a marketplace, or take it off',
    description:
      'Enabled, the partner distributes the venue with all its products, also those that are made later; disabled, it does not distribute the venue any more. What `managed` names is hidden there.',
    params: venuePath,
    body: MarketplaceBody,
    result,
    example,
    problems: ['VALID-N-001', 'VENUE-N-001', 'PMAP-N-004'],
    run: ({ actor, params, body: marketplace, ifMatch }) =>
      marketplaces.put(actor, params.venueId, { marketplace, ifMatch }),
  });
}
