/** What the console costs the browser: the first view on a slow machine, a full evening under the pointer, and memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { type BigEvening, makeBigEvening } from '../../test/support/big-evening.ts';
import { launchBrowser } from '../../test/support/pages/browser.ts';
import { tokenOf } from '../caller.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../figure.ts';
import {
  type MeasuredPage,
  memoryOf,
  metricsOf,
  openMeasured,
  SLOW,
  slowDown,
  tasksDuring,
} from './console-browser.ts';

export const name = 'console';

const WHO = 'admin@platform.example';
const SOHO = '1|house|soho-grill';
const VIEWS = 3;
/** As many as an hour of a full house may bring. */
const CHANGES = 1200;
const AT_ONCE = 4;
/** Names of who changed something stay for a moment, and then their blocks are drawn once more. */
const CALM_MS = 4000;

interface House extends BigEvening {
  base: string;
  headers: Record<string, string>;
}

export async function run(context: Context): Promise<Figure[]> {
  const browser = await launchBrowser();
  if (typeof browser === 'string') {
    context.progress(`console is left out: ${browser}`);
    return [];
  }
  try {
    const { url } = await context.createDatabase({ hasDemo: true });
    const { address } = await context.startOurs(url);
    const headers = {
      authorization: `Bearer ${await tokenOf({ address }, 'demo-admin')}`,
      'content-type': 'application/json',
    };
    context.progress('Making an evening of 300 bookings …');
    const evening = await makeBigEvening({ call: callerOf(address, headers) });
    const house: House = { ...evening, base: address.origin, headers };
    return [
      ...(await measureFirstView(context, browser, house)),
      ...(await measureHands(context, browser, house)),
      ...(await measureMemory(context, browser, house)),
    ];
  } finally {
    await browser.close();
  }
}

type Call = Parameters<typeof makeBigEvening>[0]['call'];

const callerOf =
  (address: URL, headers: Record<string, string>): Call =>
  async (path, { method = 'GET', body } = {}) => {
    const response = await fetch(new URL(path, address), { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, headers: {}, text, json: text === '' ? null : JSON.parse(text) };
  };

const tonightAt = (venueId: string, query = '') =>
  `/console/venues/${encodeURIComponent(venueId)}/tonight${query}`;

/** Asked by hand, since what Playwright puts into a page to look for something costs as much as a part of the page. */
const DRAWN = `new Promise((done) => {
  const look = () =>
    requestAnimationFrame(document.querySelector('.tl-name.table') ? () => requestAnimationFrame(done) : look);
  look();
})`;

/** Tonight is drawn when the names of the tables are, and the browser has painted them. */
const drawn = ({ devtools }: MeasuredPage) =>
  devtools.send('Runtime.evaluate', { expression: DRAWN, awaitPromise: true });

/** Without what measuring takes. */
const workOf = ({ TaskDuration = 0, DevToolsCommandDuration = 0 }: Record<string, number>) =>
  TaskDuration - DevToolsCommandDuration;

async function measureFirstView(context: Context, browser: Browser, house: House): Promise<Figure[]> {
  async function secondsOf(path: string, rate: number): Promise<number> {
    const taken: number[] = [];
    for (let view = 0; view < VIEWS; view += 1) {
      const measured = await openMeasured(browser, house.base, WHO);
      await slowDown(measured, rate);
      const before = await metricsOf(measured);
      await measured.page.goto(`${house.base}${path}`, { waitUntil: 'commit' });
      await drawn(measured);
      const after = await metricsOf(measured);
      taken.push(workOf(after) - workOf(before));
      await measured.page.context().close();
    }
    return taken.toSorted((a, b) => a - b)[Math.floor(VIEWS / 2)] ?? 0;
  }

  context.progress('console.first …');
  const usual = tonightAt(SOHO);
  const full = tonightAt(house.venueId, `?date=${house.date}`);
  const common = { unit: 's of the main thread', against: `a processor ${SLOW} times as fast` };
  return [
    {
      name: 'console.first',
      ours: await secondsOf(usual, SLOW),
      reference: await secondsOf(usual, 1),
      ...common,
      goal: { oursBelow: 1.5 },
    },
    {
      name: 'console.first.full',
      ours: await secondsOf(full, SLOW),
      reference: await secondsOf(full, 1),
      ...common,
    },
  ];
}

/** Waits until the page has nothing to do, so that what follows is measured alone. */
const settle = () => sleep(1500);

async function openEvening(browser: Browser, house: House): Promise<MeasuredPage> {
  const measured = await openMeasured(browser, house.base, WHO);
  await measured.page.goto(`${house.base}${tonightAt(house.venueId, `?date=${house.date}`)}`);
  await drawn(measured);
  await settle();
  return measured;
}

/** Takes the first booking across the whole board and back, and lets it go where it was. */
async function dragAcross(page: Page): Promise<void> {
  const block = await page.locator('.tl-block').first().boundingBox();
  const board = await page.locator('.timeline').boundingBox();
  if (!block || !board) throw new Error('There is nothing to drag.');
  const [x, y] = [block.x + 20, block.y + block.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(board.x + board.width - 60, board.y + board.height - 60, { steps: 80 });
  await page.mouse.move(board.x + 200, board.y + board.height - 60, { steps: 40 });
  await page.mouse.move(x, y, { steps: 60 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await sleep(300);
}

async function scrollAbout(page: Page): Promise<void> {
  const board = await page.locator('.timeline').boundingBox();
  if (!board) throw new Error('There is nothing to scroll.');
  await page.mouse.move(board.x + board.width / 2, board.y + board.height / 2);
  for (const [x, y] of [
    [0, 120],
    [120, 0],
    [0, -120],
    [-120, 0],
  ] as const) {
    for (let step = 0; step < 20; step += 1) {
      await page.mouse.wheel(x, y);
      await sleep(16);
    }
  }
}

async function measureHands(context: Context, browser: Browser, house: House): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, work] of [
    ['drag', dragAcross],
    ['scroll', scrollAbout],
  ] as const) {
    context.progress(`console.${what} …`);
    const longest = async (rate: number) => {
      const measured = await openEvening(browser, house);
      await slowDown(measured, rate);
      const [most = 0] = await tasksDuring(measured, () => work(measured.page), 0);
      await measured.page.context().close();
      return most;
    };
    const [ours, slow] = [await longest(1), await longest(SLOW)];
    const common = { unit: 'ms, the longest task', goal: { oursBelow: 50 } };
    const against = `a processor ${SLOW} times slower`;
    figures.push({ name: `console.${what}`, ours, reference: slow, against, ...common });
  }
  return figures;
}

async function measureMemory(context: Context, browser: Browser, house: House): Promise<Figure[]> {
  context.progress('console.memory …');
  const measured = await openEvening(browser, house);
  let changed = 0;
  const change = async (first: number, count: number) => {
    const waiting = Array.from({ length: count }, (_, index) => first + index);
    const work = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        await moveBooking(house, number);
        changed += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await sleep(CALM_MS);
  };
  // Each booking once to and fro: what the browser keeps of a first time is there.
  await change(0, 200);
  const start = await memoryOf(measured);
  await change(200, CHANGES / 2);
  const middle = await memoryOf(measured);
  await change(200 + CHANGES / 2, CHANGES / 2);
  const end = await memoryOf(measured);
  await measured.page.context().close();
  context.progress(`${changed} changes`);
  const figure = (name: string, ours: number, reference: number, unit: string, against: string): Figure => ({
    ...{ name, ours, reference, unit, against },
    goal: { atMost: 1.1 },
  });
  const [MB, first, second] = [1e6, 'before the changes', `after ${CHANGES / 2} of them`];
  return [
    figure('console.memory', end.heapBytes / MB, start.heapBytes / MB, `MB after ${CHANGES} changes`, first),
    figure(
      'console.memory.later',
      end.heapBytes / MB,
      middle.heapBytes / MB,
      `MB after ${CHANGES} changes`,
      second,
    ),
    figure('console.nodes', end.nodes, start.nodes, `nodes after ${CHANGES} changes`, first),
  ];
}

/** A hundred bookings, each a quarter of an hour later and then back again. */
async function moveBooking({ base, headers, bookingIds, operatorId }: House, number: number): Promise<void> {
  const id = bookingIds[(number % 100) * 3] ?? '';
  const path = `/manage/operators/${operatorId}/bookings/${id}`;
  const isOdd = Math.floor(number / 100) % 2 === 1;
  const { time } = (await (await fetch(`${base}${path}`, { headers })).json()) as { time: string };
  const moved = Temporal.PlainTime.from(time).add({ minutes: isOdd ? -15 : 15 });
  const response = await fetch(`${base}${path}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ time: moved.toString().slice(0, 5), overrides: ['notice', 'pacing', 'covers'] }),
  });
  if (!response.ok)
    throw new Error(`A booking could not be moved: ${response.status} ${await response.text()}`);
  await response.bytes();
}
