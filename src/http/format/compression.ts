/** Content codings of answers (RFC 9110, 8.4): which one a caller gets, and how it is made. */
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import { memoize } from './memoize.ts';

export type Encoding = 'zstd' | 'br' | 'gzip';

/** In the order of our preference among encodings of equal quality. */
const ENCODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/** Below this, headers and the work outweigh what is saved. */
export const LEAST_BYTES = 1024;

const MAX_HEADER_LENGTH = 500;
const HEADERS_BYTES = 128 * 1024;

/** The coding for an answer of this length; undefined: it is sent as it is. */
export function encodingFor(acceptEncoding: string | undefined, bytes: number): Encoding | undefined {
  if (acceptEncoding === undefined || bytes < LEAST_BYTES) return undefined;
  if (acceptEncoding.length > MAX_HEADER_LENGTH) return undefined;
  return bestOf(acceptEncoding).encoding;
}

const bestOf = memoize(HEADERS_BYTES, (header): { encoding: Encoding | undefined } => {
  const qualities = qualitiesOf(header);
  const others = qualities.get('*') ?? 0;
  let encoding: Encoding | undefined;
  // A caller that ranks `identity` above the rest gets it; a caller that does not name it prefers what it names.
  let highest = qualities.get('identity') ?? 0;
  for (const offered of ENCODINGS) {
    const quality = qualities.get(offered) ?? others;
    const isBetter = encoding === undefined ? quality >= highest : quality > highest;
    if (quality > 0 && isBetter) {
      encoding = offered;
      highest = quality;
    }
  }
  return { encoding };
});

const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Entries that cannot be read are passed over. */
function qualitiesOf(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const entry of header.toLowerCase().split(',')) {
    const [coding = '', weight] = entry.split(';').map((piece) => piece.trim());
    const quality = weight === undefined ? '1' : QUALITY.exec(weight)?.[1];
    // Some clients still call it by its name from before HTTP/1.1.
    if (coding !== '' && quality !== undefined)
      qualities.set(coding === 'x-gzip' ? 'gzip' : coding, Number(quality));
  }
  return qualities;
}

/** How much work goes into compressing: for one answer, for one that is kept, for one that is made once per process. */
export type Effort = 'once' | 'kept' | 'static';

const LEVELS: Record<Effort, Record<Encoding, number>> = {
  once: { zstd: 1, br: 1, gzip: 1 },
  kept: { zstd: 3, br: 4, gzip: 6 },
  static: { zstd: 6, br: 5, gzip: 9 },
};

const { ZSTD_c_compressionLevel, BROTLI_PARAM_QUALITY } = constants;
const zstdOptions = (level: number) => ({ params: { [ZSTD_c_compressionLevel]: level } });
const brotliOptions = (level: number) => ({ params: { [BROTLI_PARAM_QUALITY]: level } });

/** Cheaply, for an answer that is sent to one caller and forgotten. */
export function compressNow(body: Buffer, encoding: Encoding): Buffer {
  const level = LEVELS.once[encoding];
  if (encoding === 'zstd') return zstdCompressSync(body, zstdOptions(level));
  if (encoding === 'br') return brotliCompressSync(body, brotliOptions(level));
  return gzipSync(body, { level });
}

/** Longer bodies would block the event loop for more than a few milliseconds. */
const MAX_SYNC_BYTES = 128 * 1024;

/** The same; a long one as a stream, in threads of Node's pool. */
export function compressOnce(body: Buffer, encoding: Encoding): Buffer | Readable {
  if (body.length <= MAX_SYNC_BYTES) return compressNow(body, encoding);
  const stream = streamOf(encoding, LEVELS.once[encoding]);
  stream.end(body);
  return stream;
}

function streamOf(encoding: Encoding, level: number) {
  if (encoding === 'zstd') return createZstdCompress(zstdOptions(level));
  return encoding === 'br' ? createBrotliCompress(brotliOptions(level)) : createGzip({ level });
}

const inThread = {
  zstd: promisify<Buffer, ReturnType<typeof zstdOptions>, Buffer>(zstdCompress),
  br: promisify<Buffer, ReturnType<typeof brotliOptions>, Buffer>(brotliCompress),
  gzip: promisify<Buffer, { level: number }, Buffer>(gzip),
};

function compressInThread(body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  const level = LEVELS[effort][encoding];
  if (encoding === 'zstd') return inThread.zstd(body, zstdOptions(level));
  if (encoding === 'br') return inThread.br(body, brotliOptions(level));
  return inThread.gzip(body, { level });
}

/** The same bytes with no others behind them: small buffers are pieces of large ones, which they keep in memory. */
export function exactly(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Of a form beside its bytes. */
const FORM_BYTES = 200;

/** The encoded forms of a body that is sent repeatedly: each is made on first use and cached. */
export class EncodedForms {
  readonly #body: Buffer;
  readonly #effort: Effort;
  readonly #made = new Map<Encoding, Buffer>();
  readonly #underWay = new Map<Encoding, Promise<Buffer>>();
  /** Of the body and all forms so far. */
  bytes: number;

  constructor(body: Buffer, effort: Effort) {
    this.#body = body;
    this.bytes = FORM_BYTES + body.length;
    this.#effort = effort;
  }

  find(encoding: Encoding): Buffer | undefined {
    return this.#made.get(encoding);
  }

  /** What `make` has made. */
  get(encoding: Encoding): Buffer {
    const form = this.#made.get(encoding);
    if (form) return form;
    throw new Error(`The form ${encoding} has not been made yet.`);
  }

  /** In a thread of Node's pool; concurrent requests share the result. */
  make(encoding: Encoding): Promise<Buffer> {
    return this.#underWay.getOrInsertComputed(encoding, async () => {
      try {
        const form = exactly(await compressInThread(this.#body, encoding, this.#effort));
        this.#made.set(encoding, form);
        this.bytes += FORM_BYTES + form.length;
        return form;
      } finally {
        this.#underWay.delete(encoding);
      }
    });
  }
}
