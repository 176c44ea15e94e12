/** The installed client in Chromium, as an ES module straight from its `dist`. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { tokenOf } from '../../bench/caller.ts';
import { launchBrowser } from '../../test/support/pages/browser.ts';
import type { Outcome } from './program/book.ts';

const PAGE = `<!doctype html><title>A booking</title>
<script type="importmap">{ "imports": { "@maitred/client": "/files/node_modules/@maitred/client/dist/index.js" } }</script>`;

/** The outcome, or the sentence that says why there is no browser here. A page has no secret, so it gets a token. */
export async function bookInBrowser(
  address: string,
  folder: string,
  date: string,
): Promise<Outcome | string> {
  const browser = await launchBrowser();
  if (typeof browser === 'string') return browser;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const { status, type, body } = await answerTo(request, pathname);
    response.writeHead(status, { 'content-type': type }).end(body);
  });

  /** The service sends no CORS headers, so the page and the service have to share an origin. */
  async function answerTo(request: IncomingMessage, pathname: string) {
    if (pathname === '/') return { status: 200, type: 'text/html', body: PAGE };
    const file = normalize(pathname).replace(/^\/files\//, '');
    if (pathname.startsWith('/files/'))
      return { status: 200, type: 'text/javascript', body: readFileSync(join(folder, file)) };
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key } = request.headers;
    const headers = {
      authorization,
      ...(type && { 'content-type': type }),
      ...(key && { 'idempotency-key': String(key) }),
    };
    const body = request.method === 'GET' ? {} : { body: await buffer(request) };
    const answer = await fetch(`${address}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...body,
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type') ?? '',
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = await browser.newPage();
    await page.goto(origin);
    const options = JSON.stringify({ baseUrl: origin, token: await tokenOf({ address }, 'demo-partner') });
    return await page.evaluate(
      `import('/files/book.js').then(({ bookOnce }) => bookOnce(${options}, ${JSON.stringify(date)}))`,
    );
  } finally {
    await browser.close();
    server.close();
  }
}
