import { type TSchema, Type } from 'typebox';
import { type ManageRoutes, manageRoutes, NoBody, venueId, venuePath } from '../../http/manage-route.ts';
import type { App } from '../../http/route.ts';
import { binaryBody, installBinaryBody } from '../../http/validation/body-parsers.ts';
import {
  MAX_BYTES,
  ManagedPhoto,
  PART_BYTES,
  photoExample,
  Upload,
  UploadBody,
  UploadList,
  uploadExample,
} from './schema.ts';
import type { Media } from './service.ts';

const TAG = 'Manage: media';
const OF_UPLOAD = ['VENUE-N-001', 'HTTP-N-404'] as const;

const uploadId = Type.String({
  format: 'uuid',
  description: 'Id of the upload',
  examples: [uploadExample.uploadId],
});
const uploadPath = Type.Object({ venueId, uploadId });
const partPath = Type.Object({
  venueId,
  uploadId,
  number: Type.Integer({
    minimum: 1,
    maximum: Math.ceil(MAX_BYTES / PART_BYTES),
    description: 'Number of the part, from 1',
  }),
});

const BYTES = binaryBody(
  'The bytes of the part: as many as `partBytes` says, or what is left of the file',
) as unknown as TSchema;

export function uploadRoutes(app: App, media: Media): void {
  const routes = manageRoutes(app, TAG);
  readingRoutes(routes, media);
  sendingRoutes(routes, media);
  app.register(async (scope) => {
    installBinaryBody(scope, PART_BYTES);
    partRoute(manageRoutes(scope as App, TAG), media);
  });
}

function readingRoutes(routes: ManageRoutes, { uploads }: Media): void {
  routes.list('/manage/venues/:venueId/uploads', {
    access: 'manage:staff',
    operationId: 'listVenueUploads',
    summary: 'See which pictures are on their way',
    description: 'Uploads that are not complete, the oldest first. There can be twenty.',
    params: venuePath,
    problems: ['VENUE-N-001'],
    result: UploadList,
    example: { data: [uploadExample] },
    run: ({ params }) => uploads.list(params.venueId),
  });

  routes.get('/manage/venues/:venueId/uploads/:uploadId', {
    access: 'manage:staff',
    operationId: 'getVenueUpload',
    summary: 'See how much of a picture is here',
    description:
      'For going on with an upload that was interrupted: `received` says which parts have arrived.',
    params: uploadPath,
    problems: OF_UPLOAD,
    result: Upload,
    example: uploadExample,
    run: ({ params }) => uploads.get(params.venueId, params.uploadId),
  });
}

function sendingRoutes(routes: ManageRoutes, media: Media): void {
  routes.create('/manage/venues/:venueId/uploads', {
    access: 'manage:manager',
    operationId: 'createVenueUpload',
    summary: 'Announce a picture',
    description:
      'JPEG, PNG, WebP or GIF, at most 10 MiB and 8,000 × 8,000 pixels. Send its parts next, in any order, then complete it; after a day it is dropped.',
    params: venuePath,
    body: UploadBody,
    problems: ['VENUE-N-001', 'VENUE-N-011'],
    result: Upload,
    example: { ...uploadExample, received: [] },
    run: ({ actor, params, body }) => media.uploads.announce(actor, params.venueId, body),
  });

  routes.act('/manage/venues/:venueId/uploads/:uploadId/complete', {
    access: 'manage:manager',
    operationId: 'completeVenueUpload',
    summary: 'Make an upload a photo',
    description:
      'When all parts are here. The picture is looked at and becomes the last photo of the venue, which partners see at once. `If-Match` is about the list of photos.',
    params: uploadPath,
    body: NoBody,
    problems: [...OF_UPLOAD, 'VENUE-N-011', 'VENUE-N-012'],
    result: ManagedPhoto,
    example: photoExample,
    run: ({ actor, params, ifMatch }) => media.complete(actor, params.venueId, params.uploadId, ifMatch),
  });

  routes.remove('/manage/venues/:venueId/uploads/:uploadId', {
    access: 'manage:manager',
    operationId: 'deleteVenueUpload',
    summary: 'Drop an upload',
    description: 'With the parts that have arrived.',
    params: uploadPath,
    problems: OF_UPLOAD,
    run: ({ actor, params, ifMatch }) => media.uploads.drop(actor, params.venueId, params.uploadId, ifMatch),
  });
}

function partRoute(routes: ManageRoutes, { uploads }: Media): void {
  routes.put('/manage/venues/:venueId/uploads/:uploadId/parts/:number', {
    access: 'manage:manager',
    operationId: 'putVenueUploadPart',
    summary: 'Send a part of a picture',
    description: 'As `application/octet-stream`. Sent again, a part takes the place of the one before.',
    params: partPath,
    body: BYTES,
    bodyLimit: PART_BYTES,
    problems: [...OF_UPLOAD, 'VENUE-N-011'],
    result: Upload,
    example: uploadExample,
    run: ({ actor, params, body, ifMatch }) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      return uploads.receive(actor, { ...params, bytes }, ifMatch);
    },
  });
}
