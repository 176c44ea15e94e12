import type { BrowserContext } from 'playwright-core';
import type { Clock } from '../../src/kernel/clock.ts';
import { openPage, type WatchedPage } from './browser.ts';

/** What every person of the demo data signs in with. */
export const DEMO_PASSWORD = 'demo-password-please-change';

/** A page of the console, signed in as somebody of the demo data. */
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
  const opened = await openPage(profile);
  // The page asks for its session only where there may be one.
  await opened.page.addInitScript({ content: "localStorage.setItem('maitred.signedIn', 'yes')" });
  return opened;
}

/** Saturday at half past six in London, and time goes on: what a host sees when the first guests are at the door. */
export function saturdayClock(): Clock {
  const now = Temporal.Now.zonedDateTimeISO('Europe/London');
  const days = (6 - now.dayOfWeek + 7) % 7 || 7;
  const evening = now.add({ days }).withPlainTime('18:30').toInstant();
  const ahead = now.toInstant().until(evening);
  return () => Temporal.Now.instant().add(ahead);
}
