/**
 * What kind of picture some bytes are and how large it is, read from the bytes alone. Only the structure is looked at,
 * from the first to the last mark, so that what is cut off or garbled is noticed and no pixel has to be decoded.
 */
import { crc32 } from 'node:zlib';

export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export interface Size {
  width: number;
  height: number;
}

export interface Picture {
  type: PictureType;
  /** Undefined: it begins like one, but is broken. */
  size: Size | undefined;
}

/** Undefined: it is none of the kinds that are shown. */
export function sniff(bytes: Buffer): Picture | undefined {
  const type = typeOf(bytes);
  return type && { type, size: sizeOf(bytes, type) };
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

function typeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith(PNG_SIGNATURE)) return 'image/png';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'image/webp';
  return /^GIF8[79]a/.test(head) ? 'image/gif' : undefined;
}

const readers: Record<PictureType, (bytes: Buffer) => Size> = {
  'image/jpeg': sizeOfJpeg,
  'image/png': sizeOfPng,
  'image/webp': sizeOfWebp,
  'image/gif': sizeOfGif,
};

/** Readers throw `Broken`; reading beyond the end throws a `RangeError`. */
class Broken extends Error {}

function sizeOf(bytes: Buffer, type: PictureType): Size | undefined {
  try {
    const { width, height } = readers[type](bytes);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch (error) {
    if (error instanceof Broken || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A frame may claim to be larger than the picture; a decoder needs memory for the largest. */
function largest(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

function assertIntact(isIntact: boolean): void {
  if (!isIntact) throw new Broken();
}

function sizeOfPng(bytes: Buffer): Size {
  let size: Size | undefined;
  let hasPixels = false;
  for (let at = PNG_SIGNATURE.length; ; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    const checksum = bytes.readUInt32BE(end);
    assertIntact(crc32(bytes.subarray(at + 4, end)) === checksum);
    const name = bytes.toString('latin1', at + 4, at + 8);
    // The header comes first, and once.
    assertIntact((name === 'IHDR') === (size === undefined) && (name !== 'IHDR' || length === 13));
    if (name === 'IEND' && size && hasPixels) return size;
    assertIntact(name !== 'IEND');
    size ??= { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    hasPixels ||= name === 'IDAT';
    at = end + 4;
  }
}

const MARK = 0xff;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Of frames there are many kinds, and between their marks stand three that are something else. */
const isFrame = (mark: number) => mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
/** Within a scan these belong to the data. */
const isData = (mark: number) => mark === 0 || (mark >= 0xd0 && mark <= 0xd7);

function sizeOfJpeg(bytes: Buffer): Size {
  let size: Size | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    assertIntact(bytes.readUInt8(at) === MARK);
    while (bytes.readUInt8(at) === MARK) at += 1;
    const mark = bytes.readUInt8(at);
    if (mark === END_OF_IMAGE && size && hasScan) return size;
    assertIntact(mark !== END_OF_IMAGE && !isData(mark));
    const length = bytes.readUInt16BE(at + 1);
    assertIntact(length >= 2);
    if (isFrame(mark)) {
      // One frame, before its scans.
      assertIntact(size === undefined);
      size = { height: bytes.readUInt16BE(at + 4), width: bytes.readUInt16BE(at + 6) };
    }
    at += 1 + length;
    if (mark !== START_OF_SCAN) continue;
    assertIntact(size !== undefined);
    hasScan = true;
    at = endOfScan(bytes, at);
  }
}

/** The next mark that is no data. Byte by byte: in a hostile scan every other one is a mark. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] as number;
    // Several marks in a row fill up; the last of them counts.
    if (bytes[at] === MARK && next !== MARK && !isData(next)) return at;
  }
  throw new Broken();
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

function sizeOfGif(bytes: Buffer): Size {
  let size: Size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasImage = false;
  for (let at = 13 + paletteBytes(bytes.readUInt8(10)); ; ) {
    const mark = bytes.readUInt8(at);
    if (mark === TRAILER && hasImage) return size;
    assertIntact(mark === EXTENSION || mark === IMAGE);
    if (mark === EXTENSION) {
      at = endOfBlocks(bytes, at + 2);
      continue;
    }
    hasImage = true;
    const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
    const [width, height] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
    size = largest(size, { width: left + width, height: top + height });
    at = endOfBlocks(bytes, at + 11 + paletteBytes(bytes.readUInt8(at + 9)));
  }
}

const paletteBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Data comes in blocks that begin with their length; an empty one ends it. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += 1 + length;
  return at + 1;
}

function sizeOfWebp(bytes: Buffer): Size {
  const end = 8 + bytes.readUInt32LE(4);
  assertIntact(end <= bytes.length);
  const whole = bytes.subarray(0, end);
  let size: Size = { width: 0, height: 0 };
  let hasPixels = false;
  for (let at = 12; at < end; ) {
    const name = whole.toString('latin1', at, at + 4);
    const length = whole.readUInt32LE(at + 4);
    const chunk = whole.subarray(at + 8, at + 8 + length);
    assertIntact(chunk.length === length);
    const part = sizeOfWebpChunk(name, chunk);
    if (part) size = largest(size, part);
    hasPixels ||= part !== undefined && name !== 'VP8X';
    at += 8 + length + (length % 2);
  }
  assertIntact(hasPixels);
  return size;
}

function sizeOfWebpChunk(name: string, chunk: Buffer): Size | undefined {
  switch (name) {
    case 'VP8X':
      return { width: chunk.readUIntLE(4, 3) + 1, height: chunk.readUIntLE(7, 3) + 1 };
    case 'VP8 ':
      // A key frame, which is the only kind a picture has.
      assertIntact((chunk.readUInt8(0) & 1) === 0 && chunk.readUIntBE(3, 3) === 0x9d012a);
      return { width: chunk.readUInt16LE(6) & 0x3fff, height: chunk.readUInt16LE(8) & 0x3fff };
    case 'VP8L': {
      assertIntact(chunk.readUInt8(0) === 0x2f);
      const bits = chunk.readUInt32LE(1);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'ANMF': {
      const [left, top] = [2 * chunk.readUIntLE(0, 3), 2 * chunk.readUIntLE(3, 3)];
      const [width, height] = [chunk.readUIntLE(6, 3) + 1, chunk.readUIntLE(9, 3) + 1];
      return { width: left + width, height: top + height };
    }
    default:
      return undefined;
  }
}
