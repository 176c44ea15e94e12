/** Stands between a node and its database, and hangs up at the worst moments. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

export interface ForgetfulProxy {
  /** The database, by way of this. */
  url: string;
  /** From now on the end of the transaction that `statement` is part of is answered by hanging up. */
  forgetCommitsOf(statement: string): void;
  /** How often that has happened. */
  forgotten(): number;
  /** From now on whoever asks for this is cut off, and whoever is connected now; undefined: nobody any more. */
  refuse(statement: string | undefined): void;
  /** How often that has happened. */
  refused(): number;
  close(): Promise<void>;
}

/** With this the server says that it has carried out everything, and that no transaction is open. */
const IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1');

export async function startForgetfulProxy(databaseUrl: string): Promise<ForgetfulProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let statement: string | undefined;
  let forgotten = 0;
  let unwanted: string | undefined;
  let refused = 0;

  const server = net.createServer((client) => {
    const database = net.connect(Number(target.port), target.hostname);
    let isWatched = false;
    const hangUp = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', hangUp);
      socket.on('close', hangUp);
      socket.on('close', () => open.delete(socket));
    }
    client.on('data', (sent: Buffer) => {
      if (unwanted !== undefined && sent.includes(unwanted)) {
        refused += 1;
        client.resetAndDestroy();
        return;
      }
      isWatched ||= statement !== undefined && sent.includes(statement);
      database.write(sent);
    });
    database.on('data', (said: Buffer) => {
      if (!isWatched || !said.includes(IDLE)) return void client.write(said);
      forgotten += 1;
      hangUp();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    forgetCommitsOf(wanted) {
      statement = wanted;
    },
    forgotten: () => forgotten,
    refuse(wanted) {
      unwanted = wanted;
      if (wanted !== undefined) for (const socket of open) socket.destroy();
    },
    refused: () => refused,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
