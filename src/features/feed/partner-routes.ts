import { Type } from 'typebox';
import { manageRoutes } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { partnerId } from '../../http/validation/manage-fields.ts';
import { Page, pageOf } from '../../http/validation/paging.ts';
import { FeedQuery, PartnerFeed } from './schema.ts';
import type { Feed } from './service.ts';

const example: PartnerFeed = {
  venueId: '1|house|soho-grill',
  venueName: 'Soho Grill',
  productId: '1|house|soho-grill|dinner',
  productName: 'Dinner',
  url: 'https://api.maitred.example/feed/6JX0q3uVZ9mT1cE8sLrYbKdW2nHfPa5g/index.json',
  isOwn: false,
  isActive: true,
  isCurrent: true,
  madeAt: '2026-11-14T18:05:00.000Z',
  changedAt: '2026-11-14T18:05:00.000Z',
  fileCount: 156,
};

export function partnerFeedRoutes(app: App, feed: Pick<Feed, 'listFor'>): void {
  manageRoutes(app, 'Manage: partners').list('/manage/partners/:partnerId/feeds', {
    access: 'manage:developer',
    operationId: 'listPartnerFeeds',
    summary: 'List the feeds of a partner',
    description:
      'One for each product that it may sell, by id of the product: where its index is, when it was made and whether it is up to date.',
    params: Type.Object({ partnerId }),
    query: FeedQuery,
    result: Page(PartnerFeed),
    example: pageOf([example], 1, { pageNumber: 1, pageSize: 20 }),
    run: ({ params, query }) => feed.listFor(params.partnerId, query),
  });
}
