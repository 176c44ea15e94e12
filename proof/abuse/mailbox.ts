/** The mails of a node that writes them into a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Mailbox {
  folder: string;
  /** Has what is due written now; a node with a postman does so by itself. */
  deliver(): Promise<void>;
}

const PATIENCE_MS = 120_000;
const POLL_MS = 100;

/** The token in the latest mail to an address; undefined when none comes. */
export async function mailedToken({ folder, deliver }: Mailbox, to: string): Promise<string | undefined> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    await deliver();
    const texts = mailsIn(folder).filter((text) => text.startsWith(`To: ${to}\r\n`));
    const token = /#token=([\w-]{43})$/m.exec(texts.at(-1) ?? '')?.[1];
    if (token) return token;
  }
  return undefined;
}

function mailsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.eml'));
  return files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
}
