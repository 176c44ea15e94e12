import { randomBytes } from 'node:crypto';
import type { TestDatabase } from './database.ts';

/** The address of a database for somebody who may look around in it and make nothing. */
export async function limitedUrlOf({ sql, url }: TestDatabase): Promise<string> {
  const name = `limited_${randomBytes(6).toString('hex')}`;
  await sql.unsafe(`create role ${name} login password 'limited'; grant usage on schema public to ${name}`);
  const limited = new URL(url);
  limited.username = name;
  limited.password = 'limited';
  return limited.href;
}
