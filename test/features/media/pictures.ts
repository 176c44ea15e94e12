import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Pictures made by hand, as small as they can be, and one of every kind that other programs made. */

const uint16 = (value: number) => Buffer.of(value >> 8, value & 0xff);

function pngChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return pngChunk('IHDR', header);
}

/** Of noise, so that it takes as many bytes as it has. */
export function png(width: number, height: number): Buffer {
  const lines = Array.from({ length: height }, () => Buffer.concat([Buffer.of(0), randomBytes(3 * width)]));
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(Buffer.concat(lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Says that it is so large, and has nothing in it. */
export const claimedPng = (width: number, height: number) =>
  Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

const segment = (mark: number, content: Buffer) =>
  Buffer.concat([Buffer.of(0xff, mark), uint16(content.length + 2), content]);

/** Of two scans, with a thumbnail inside that has a size of its own. */
export function jpeg(width: number, height: number): Buffer {
  const frame = (w: number, h: number) =>
    segment(0xc2, Buffer.concat([Buffer.of(8), uint16(h), uint16(w), Buffer.of(1, 1, 0x11, 0)]));
  const scan = segment(0xda, Buffer.of(1, 1, 0, 0, 63, 0));
  const data = Buffer.of(1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe1, frame(9, 9)),
    Buffer.of(0xff, 0xff),
    segment(0xdb, Buffer.alloc(65)),
    frame(width, height),
    segment(0xc4, Buffer.alloc(17)),
    scan,
    data,
    segment(0xc4, Buffer.alloc(17)),
    scan,
    data,
    Buffer.of(0xff, 0xd9),
  ]);
}

/** 1 × 1 pixel each, by other programs. */
export const foundGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const foundLossyWebp = Buffer.from(
  'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  'base64',
);
export const foundLosslessWebp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

/** A GIF of a small screen with an image that reaches beyond it. */
export function overreachingGif(): Buffer {
  const gif = Buffer.from(foundGif);
  const image = gif.indexOf(0x2c);
  gif.writeUInt16LE(9000, image + 5);
  return gif;
}

/** An extended WebP: a canvas, and chunks on it. */
export function canvasWebp(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const canvas = Buffer.alloc(10);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), riffChunk('VP8X', canvas), ...chunks]);
  return riffChunk('RIFF', body);
}

export function riffChunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}

/** A frame of an animation, without the pixels that belong to it. */
export function frameChunk(left: number, top: number, width: number, height: number): Buffer {
  const frame = Buffer.alloc(16);
  frame.writeUIntLE(left / 2, 0, 3);
  frame.writeUIntLE(top / 2, 3, 3);
  frame.writeUIntLE(width - 1, 6, 3);
  frame.writeUIntLE(height - 1, 9, 3);
  return riffChunk('ANMF', frame);
}
