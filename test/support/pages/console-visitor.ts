/** Somebody who goes from page to page of the console and notes everything that is not as it should be. */
import type { BrowserContext, Page, Request } from 'playwright-core';
import { openPage } from './browser.ts';
import { openConsole } from './console.ts';

export interface Visitor {
  page: Page;
  /** Opens a page by its address, as a link does, and waits until it is drawn. */
  go(path: string): Promise<void>;
  /** What went wrong since it was last asked: complaints of the browser, refused calls, calls of other servers. */
  takeTrouble(): string[];
}

/** Where the demo data has its photos; nothing is there. */
const PHOTOS = 'https://images.maitred.example/';
const PHOTO = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>';

const QUIET_MS = 60;
const PATIENCE_MS = 30_000;
/** Streams stay open for as long as the page does. */
const isStream = (request: Request) => request.resourceType() === 'eventsource';

/** Null: without a session. */
export async function openVisitor(
  profile: BrowserContext,
  base: string,
  email: string | null,
): Promise<Visitor> {
  const { page, requests, complaints } = email
    ? await openConsole(profile, base, email)
    : await openPage(profile);
  await page.route(`${PHOTOS}**`, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PHOTO }));
  const refused: string[] = [];
  const underWay = new Set<Request>();
  page.on('request', (request) => !isStream(request) && underWay.add(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('response', (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });

  async function settle(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS; ) {
      if (performance.now() > until) throw new Error(`${page.url()} does not come to rest.`);
      await page.waitForTimeout(20);
      const isBusy = await page.evaluate("document.querySelector('[aria-busy=true]') !== null");
      if (isBusy || underWay.size > 0) quietSince = performance.now();
    }
  }

  return {
    page,
    async go(path) {
      if (page.url() === 'about:blank') await page.goto(`${base}${path}`);
      else {
        await page.evaluate(
          `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
        );
      }
      await settle();
    },
    takeTrouble() {
      const elsewhere = requests
        .splice(0)
        .filter((url) => ![base, PHOTOS, 'data:', 'blob:'].some((known) => url.startsWith(known)))
        .map((url) => `asked ${url}`);
      return [...complaints.splice(0), ...refused.splice(0), ...elsewhere];
    },
  };
}
