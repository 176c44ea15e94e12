/**
 * The file of a backup: compressed records, each with a letter, its length and its content. The last one has the hash
 * of all before it, so that a file that was cut or altered is recognised before anything is written.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf, StartError } from '../../kernel/problem.ts';

export const FORMAT = 'maitred-backup-1';

export interface BackupHeader {
  format: typeof FORMAT;
  /** Of the program that made it. */
  version: string;
  madeAt: string;
  /** As in `server_version`. */
  postgres: string;
  migrations: { version: number; name: string; checksum: string }[];
  /** Of the encryption keys that are needed to read it. The keys themselves are not in it. */
  keyIds: string[];
  partitions: Partition[];
}

export interface Partition {
  name: string;
  parent: string;
  /** As PostgreSQL writes it, `FOR VALUES …`. */
  bounds: string;
}

export interface BackupTable {
  table: string;
  columns: string[];
  rows: number;
  /** Of all rows, in whatever order. */
  checksum: string;
}

export interface BackupSequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

export interface BackupEnd {
  tables: number;
  rows: number;
  sequences: BackupSequence[];
  sha256: string;
}

/** Header, table, rows of the table, end. */
type Letter = 'H' | 'T' | 'D' | 'Z';

export interface BackupRecord {
  letter: Letter;
  content: Buffer;
}

const HEAD_BYTES = 5;
const LARGEST = 64 * 1024 * 1024;

export function recordOf(letter: Letter, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(letter);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export const jsonOf = <Content>({ content }: BackupRecord): Content => JSON.parse(content.toString());

const unusable = (path: string, reason: string) =>
  new StartError(`${path} cannot be used: ${reason}. Nothing was changed.`);

/** All records of a file in their order, whole and unaltered; throws a `StartError` otherwise. */
export async function* readBackup(path: string): AsyncGenerator<BackupRecord> {
  const hash = createHash('sha256');
  // Failures reach the reader of the records through the stream that it reads.
  const chunks = pipeline(createReadStream(path), createGunzip(), () => {});
  let waiting = Buffer.alloc(0);
  let isOver = false;
  let isFirst = true;
  try {
    for await (const chunk of piped(chunks, path)) {
      waiting = Buffer.concat([waiting, chunk]);
      for (;;) {
        if (waiting.length < HEAD_BYTES) break;
        const length = waiting.readUInt32BE(1);
        if (isOver || length > LARGEST) throw unusable(path, 'it is not a backup of Maitred');
        if (waiting.length < HEAD_BYTES + length) break;
        const whole = waiting.subarray(0, HEAD_BYTES + length);
        const record = {
          letter: whole.toString('latin1', 0, 1) as Letter,
          content: whole.subarray(HEAD_BYTES),
        };
        waiting = waiting.subarray(whole.length);
        if (isFirst && !isHeader(record)) throw unusable(path, 'it is not a backup of Maitred');
        isFirst = false;
        if (record.letter === 'Z') {
          isOver = true;
          if (hashIn(record) !== hash.digest('hex')) throw unusable(path, 'it was altered');
        } else hash.update(whole);
        yield record;
      }
    }
  } finally {
    chunks.destroy();
  }
  if (!isOver || waiting.length > 0) throw unusable(path, 'it is cut short');
}

/** Of a record that may be damaged. */
function hashIn(record: BackupRecord): string | undefined {
  try {
    return jsonOf<BackupEnd>(record).sha256;
  } catch {
    return undefined;
  }
}

function isHeader(record: BackupRecord): boolean {
  try {
    return record.letter === 'H' && jsonOf<BackupHeader>(record).format === FORMAT;
  } catch {
    return false;
  }
}

/** The decompressor's complaints in our words. */
async function* piped(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw unusable(path, 'there is no such file');
    const isCut = error instanceof Error && /unexpected end/.test(error.message);
    throw unusable(path, isCut ? 'it is cut short' : 'it was altered, or is not a backup of Maitred');
  }
}
