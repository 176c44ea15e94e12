import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sniff } from '../../../src/features/media/sniff.ts';
import {
  canvasWebp,
  claimedPng,
  foundGif,
  foundLosslessWebp,
  foundLossyWebp,
  frameChunk,
  jpeg,
  overreachingGif,
  png,
  riffChunk,
} from './pictures.ts';

const of = (type: string, width: number, height: number) => ({ type, size: { width, height } });

test('a picture is known by its bytes, with its size', () => {
  assert.deepEqual(sniff(png(7, 3)), of('image/png', 7, 3));
  assert.deepEqual(sniff(jpeg(640, 480)), of('image/jpeg', 640, 480));
  assert.deepEqual(sniff(foundGif), of('image/gif', 1, 1));
  assert.deepEqual(sniff(foundLossyWebp), of('image/webp', 1, 1));
  assert.deepEqual(sniff(foundLosslessWebp), of('image/webp', 1, 1));
  assert.deepEqual(sniff(canvasWebp(20, 10, frameChunk(2, 4, 8, 6))), of('image/webp', 20, 10));
});

test('what is inside may be larger than the whole says, and that counts', () => {
  assert.deepEqual(sniff(overreachingGif()), of('image/gif', 9000, 1));
  assert.deepEqual(sniff(canvasWebp(20, 10, frameChunk(0, 6, 8, 60))), of('image/webp', 20, 66));
  const inner = Buffer.from(foundLosslessWebp.subarray(12));
  inner.writeUInt32LE(inner.readUInt32LE(9) | 0x3fff, 9);
  assert.deepEqual(sniff(canvasWebp(2, 2, inner)), of('image/webp', 16_384, 2));
});

test('anything else is no picture', () => {
  for (const text of [
    '',
    'hello',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '%PDF-1.7',
    'RIFF1234WAVE',
    'GIF88a',
  ])
    assert.equal(sniff(Buffer.from(text)), undefined, text);
});

test('bytes after the end of a picture make no difference', () => {
  for (const picture of [png(2, 2), jpeg(2, 2), foundGif, foundLossyWebp])
    assert.deepEqual(sniff(Buffer.concat([picture, Buffer.from('<script>')])), sniff(picture));
});

test('a picture without pixels, without a size or with its parts in the wrong order is broken', () => {
  const isBroken = (bytes: Buffer) => assert.deepEqual(sniff(bytes)?.size, undefined, bytes.toString('hex'));
  isBroken(claimedPng(0, 5));
  isBroken(jpeg(5, 0));
  isBroken(canvasWebp(5, 5));
  isBroken(canvasWebp(5, 5, riffChunk('EXIF', Buffer.alloc(4))));
  isBroken(Buffer.of(0xff, 0xd8, 0xff, 0xd9));
  const twoHeaders = claimedPng(5, 5);
  const header = twoHeaders.subarray(8, 33);
  isBroken(Buffer.concat([twoHeaders.subarray(0, 33), header, twoHeaders.subarray(33)]));
  const garbled = Buffer.from(png(4, 4));
  garbled.writeUInt8(garbled.readUInt8(45) ^ 1, 45);
  isBroken(garbled);
});

const pictures = [
  png(3, 3),
  jpeg(33, 44),
  foundGif,
  foundLossyWebp,
  canvasWebp(9, 9, frameChunk(0, 0, 9, 9)),
];

test('a picture that is cut off anywhere is broken, or not even known', () => {
  for (const picture of pictures) {
    // Frames are padded to an even length, and the last of that may be cut.
    for (let length = 0; length < picture.length - 1; length++)
      assert.equal(sniff(picture.subarray(0, length))?.size, undefined, `${length} of ${picture.length}`);
  }
});

test('whatever the bytes are, they are read to an end and never fail', () => {
  const beginnings = pictures.map((picture) => fc.constant(picture.subarray(0, 40)));
  const anything = fc
    .tuple(fc.oneof(...beginnings), fc.uint8Array({ maxLength: 400 }))
    .map(([head, rest]) => Buffer.concat([head, rest]));
  const damaged = fc
    .tuple(fc.constantFrom(...pictures), fc.nat(), fc.integer({ min: 0, max: 255 }))
    .map(([picture, at, value]) => {
      const bytes = Buffer.from(picture);
      bytes.writeUInt8(value, at % bytes.length);
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(anything, damaged), (bytes) => {
      const size = sniff(bytes)?.size;
      assert.ok(size === undefined || (size.width > 0 && size.height > 0));
    }),
    { numRuns: 2000 },
  );
});

test('ten megabytes of marks that mean nothing are read in one go', () => {
  const hostile = Buffer.concat([
    jpeg(8, 8).subarray(0, -2),
    Buffer.alloc(10_000_000, Buffer.of(0xff, 0x00)),
  ]);
  assert.equal(sniff(hostile)?.size, undefined);
  const blocks = Buffer.concat([
    foundGif.subarray(0, -1),
    Buffer.alloc(10_000_000, Buffer.of(0x21, 0xfe, 0)),
  ]);
  assert.equal(sniff(blocks)?.size, undefined);
});
