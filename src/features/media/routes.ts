import { Readable } from 'node:stream';
import { coversEtag } from '../../http/format/etag.ts';
import { manageRoutes, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { problem } from '../../kernel/problem.ts';
import { PhotoList, PhotoListBody, photosExample } from './schema.ts';
import type { Media } from './service.ts';

export function photoRoutes(app: App, media: Media): void {
  const routes = manageRoutes(app, 'Manage: media');

  routes.get('/manage/venues/:venueId/photos', {
    access: 'manage:staff',
    operationId: 'getVenuePhotos',
    summary: 'Read the photos of a venue',
    description: 'In the order in which they are shown.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    result: PhotoList,
    example: photosExample,
    run: ({ params }) => media.listPhotos(params.venueId),
  });

  routes.put('/manage/venues/:venueId/photos', {
    access: 'manage:manager',
    operationId: 'replaceVenuePhotos',
    summary: 'Arrange the photos of a venue',
    description:
      'The list as it is to be. An entry with an `id` is a photo that is there, with its words and its place; one without is new, at an address of your own. What is left out goes, and an uploaded picture with it.',
    params: venuePath,
    body: PhotoListBody,
    problems: ['VENUE-N-001'],
    result: PhotoList,
    example: photosExample,
    run: ({ actor, params, body, ifMatch }) => media.replacePhotos(actor, params.venueId, body.data, ifMatch),
  });
}

/** Serves the pictures. They are public: a partner that sees the venue may show them to all. */
export function mediaRoutes(app: App, media: Media): void {
  app.route<{ Params: { mediaId: string } }>({
    method: ['GET', 'HEAD'],
    url: '/media/:mediaId',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const { mediaId } = request.params;
      const facts = await media.find(mediaId);
      if (!facts) throw problem('HTTP-N-404', { detail: 'There is no such picture, or no longer.' });
      // What an id stands for never changes.
      const etag = `"${mediaId.toLowerCase()}"`;
      reply.headers({
        etag,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      });
      const known = request.headers['if-none-match'];
      if (known !== undefined && coversEtag(known, etag)) return reply.code(304).send();
      reply.headers({ 'content-type': facts.contentType, 'content-length': facts.sizeBytes });
      return request.method === 'HEAD' ? reply.send() : reply.send(Readable.from(media.read(mediaId, facts)));
    },
  });
}
