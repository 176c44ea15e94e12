import { type Static, Type } from 'typebox';
import { MAX_INTEGER } from '../../http/manage-paths.ts';
import { named, nullable, optional, published, text, URI } from '../../http/schema-words.ts';
import { PICTURE_TYPES } from './sniff.ts';

export const MAX_PHOTOS = 100;
/** That are not complete. */
export const MAX_UPLOADS = 20;
/** Small enough that a part which is cut off is soon sent again. */
export const PART_BYTES = 512 * 1024;
export const MAX_BYTES = 10 * 1024 * 1024;
export const MAX_PIXELS = 8000;

const closed = { additionalProperties: false };
const MAX_CAPTION = 500;

const pixels = Type.Integer({ minimum: 1, maximum: MAX_INTEGER });
const caption = Type.String({ maxLength: MAX_CAPTION });

export const ManagedPhoto = Type.Object(
  {
    id: Type.Integer({ description: 'What the photo is known by as long as it is there' }),
    url: text('Where the picture is', URI),
    caption: nullable(Type.String()),
    width: nullable(Type.Integer({ description: 'In pixels' })),
    height: nullable(Type.Integer({ description: 'In pixels' })),
  },
  named('ManagedPhoto', 'A photo of a venue'),
);
export type ManagedPhoto = Static<typeof ManagedPhoto>;

export const PhotoList = Type.Object(
  { data: Type.Array(ManagedPhoto, { description: 'In the order in which they are shown' }) },
  named('PhotoList', 'The photos of a venue'),
);
export type PhotoList = Static<typeof PhotoList>;

const PhotoEntry = Type.Object(
  {
    id: optional(
      Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
      'Of a photo that is there; absent: a new one, at an address of your own',
    ),
    url: Type.String({
      maxLength: 2000,
      description: 'An address that begins with https://. That of an uploaded picture stays as it is.',
    }),
    caption: optional(caption),
    width: optional(pixels, 'In pixels. Of an uploaded picture it is known'),
    height: optional(pixels, 'In pixels. Of an uploaded picture it is known'),
  },
  { ...closed, ...named('PhotoEntry', 'A photo as it is to be') },
);
export type PhotoEntry = Static<typeof PhotoEntry>;

export const PhotoListBody = Type.Object(
  {
    data: Type.Array(PhotoEntry, {
      maxItems: MAX_PHOTOS,
      description: 'In the order in which they are to be shown; those that are left out go',
    }),
  },
  {
    ...closed,
    ...named('PhotoListBody', 'The photos of a venue as they are to be'),
    examples: [
      { data: [{ id: 17, url: 'https://cdn.example/dining-room.jpg', caption: 'The dining room at noon' }] },
    ],
  },
);

export const UploadBody = Type.Object(
  {
    contentType: Type.String({ maxLength: 100, ...published({ enum: PICTURE_TYPES }) }),
    sizeBytes: Type.Integer({ minimum: 1, maximum: MAX_INTEGER, description: 'At most 10 MiB' }),
    caption: optional(caption, 'Of the photo that it will be'),
  },
  {
    ...closed,
    ...named('UploadBody', 'A picture that is going to be sent'),
    examples: [{ contentType: 'image/jpeg', sizeBytes: 1_400_000, caption: 'The terrace in June' }],
  },
);
export type UploadBody = Static<typeof UploadBody>;

export const Upload = Type.Object(
  {
    uploadId: Type.String({ format: 'uuid' }),
    contentType: Type.String(published({ enum: PICTURE_TYPES })),
    sizeBytes: Type.Integer(),
    caption: nullable(Type.String()),
    partBytes: Type.Integer({ description: 'How long each part is, except the last' }),
    parts: Type.Integer({ description: 'How many there are, numbered from 1' }),
    received: Type.Array(Type.Integer(), { description: 'Numbers of those that are here' }),
    expiresAt: Type.String({ format: 'date-time', description: 'What is not complete by then is dropped' }),
  },
  named('Upload', 'A picture on its way'),
);
export type Upload = Static<typeof Upload>;

export const UploadList = Type.Object(
  { data: Type.Array(Upload) },
  named('UploadList', 'Pictures on their way'),
);
