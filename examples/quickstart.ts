/** From nothing to a booking and its webhook: `npm install @maitred/client`, then `node quickstart.ts`. */
import { createServer } from 'node:http';
import { Maitred, verifyWebhook } from '@maitred/client';

const { MAITRED_URL = 'http://127.0.0.1:3000', PORT = '4002' } = process.env;
const credentials = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' };
const maitred = new Maitred({ baseUrl: MAITRED_URL, ...credentials });

const callbackUrl = `http://127.0.0.1:${PORT}/`;
const { webhookId, secretKey } = await maitred.webhooks.subscriptions.create({ callbackUrl });
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray().catch(() => []));
  const post = { headers: request.headers, body, secrets: secretKey };
  const event = await verifyWebhook(post).catch(() => null);
  response.writeHead(event ? 204 : 401).end();
  if (event?.eventType !== 'booking.updated') return;
  for (const { id, status } of event.bookings) console.log(`webhook: booking ${id} is ${status}`);
  await maitred.webhooks.subscriptions.delete(webhookId);
  server.close();
}).listen(Number(PORT), '127.0.0.1');

const date = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const asked = { date, time: '19:30', partySize: 2 };
const { tables } = await maitred.availability.findTables({ city: 'London', ...asked });
const { compositeId, venue, time } = tables.find(({ type }) => type === 'book') ?? process.exit(1);
const guest = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
const booking = await maitred.bookings.create(compositeId, { type: 'book', ...asked, time, ...guest });
console.log(`booking ${booking.id} at ${venue} is ${booking.status}`);
