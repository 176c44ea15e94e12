import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Mailer } from './mailer.ts';

export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'mail');

/** For development: mails become files, the latest last. They hold tokens, so nobody else may read them. */
export function createOutbox(folder: string): Mailer {
  return {
    async send({ id, to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const place = join(folder, `${id}.eml`);
      await write(`${place}.new`, `To: ${to}\r\nSubject: ${subject}\r\n\r\n${text}`);
      await rename(`${place}.new`, place);
    },
  };
}

async function write(path: string, text: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
}
