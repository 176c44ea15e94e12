import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Clock } from '../../../src/kernel/clock.ts';
import type { TestApp } from '../app.ts';
import { openPage, type WatchedPage } from './browser.ts';

/** What every person of the demo data signs in with. */
export const DEMO_PASSWORD = 'demo-password-please-change';

/** Has the service listen on a port of its own; returns where it is. */
export async function listen({ app }: Pick<TestApp, 'app'>): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** A page of the console, signed in as a person of the demo data. */
export async function openConsole(
  profile: BrowserContext,
  base: string,
  email: string,
): Promise<WatchedPage> {
  const answer = await profile.request.post(`${base}/manage/sessions`, {
    data: { email, password: DEMO_PASSWORD, cookie: true },
    headers: { origin: base, 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${await answer.text()}`);
  // A page asks for its session only where there may be one.
  await profile.addInitScript({ content: "localStorage.setItem('maitred.signedIn', 'yes')" });
  return openPage(profile);
}

interface Visit {
  email?: string;
  width?: number;
}

interface ConsoleOptions {
  /** Where the service listens, once it does. */
  origin: () => string;
  /** Who opens a page unless a test says otherwise. */
  email: string;
  /** What the pages take for the present. */
  clock?: Clock;
}

/** Opens addresses below `/console`. A person has one profile for each width: it signs in and fetches the program once. */
export function consolePages(browser: Browser | string, { origin, email: usual, clock }: ConsoleOptions) {
  const profiles = new Map<string, BrowserContext>();
  return async (path: string, { email = usual, width = 1400 }: Visit = {}): Promise<WatchedPage> => {
    if (typeof browser === 'string') throw new Error(browser);
    const key = `${email} ${width}`;
    const known = profiles.get(key);
    const profile =
      known ?? (await browser.newContext({ viewport: { width, height: 900 }, locale: 'en-GB' }));
    profiles.set(key, profile);
    const watched = known ? await openPage(profile) : await openConsole(profile, origin(), email);
    if (clock) await watched.page.clock.setSystemTime(new Date(clock().epochMilliseconds));
    await watched.page.goto(`${origin()}/console${path}`);
    return watched;
  };
}

/** Saturday at half past six in London, and time goes on: what a host sees when the first guests are at the door. */
export function saturdayClock(): Clock {
  const now = Temporal.Now.zonedDateTimeISO('Europe/London');
  const days = (6 - now.dayOfWeek + 7) % 7 || 7;
  const evening = now.add({ days }).withPlainTime('18:30').toInstant();
  const ahead = now.toInstant().until(evening);
  return () => Temporal.Now.instant().add(ahead);
}
