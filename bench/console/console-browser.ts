/** A browser that measures what its pages cost. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openConsole } from '../../test/support/pages/console.ts';

export interface MeasuredPage {
  page: Page;
  devtools: CDPSession;
}

export const SLOW = 4;

/** Signed in, and with what the browser needs to fetch already there or not, as it would be the first time. */
export async function openMeasured(browser: Browser, base: string, email: string): Promise<MeasuredPage> {
  const profile: BrowserContext = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  });
  const { page } = await openConsole(profile, base, email);
  // Of the same origin, so that the process of the page is the one that is measured.
  await page.goto(`${base}/health/live`);
  const devtools = await profile.newCDPSession(page);
  // Time of the processor, so that a busy machine does not count.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, devtools };
}

export const slowDown = ({ devtools }: MeasuredPage, rate: number) =>
  devtools.send('Emulation.setCPUThrottlingRate', { rate });

export async function metricsOf({ devtools }: MeasuredPage): Promise<Record<string, number>> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** After everything that is not needed any more is gone. */
export async function memoryOf(measured: MeasuredPage): Promise<{ heapBytes: number; nodes: number }> {
  for (let times = 0; times < 3; times += 1) await measured.devtools.send('HeapProfiler.collectGarbage');
  const { JSHeapUsedSize = 0, Nodes = 0 } = await metricsOf(measured);
  return { heapBytes: JSHeapUsedSize, nodes: Nodes };
}

/** Milliseconds of processor time of each task of the main thread above the limit while something is done. */
export async function tasksDuring(
  { devtools }: MeasuredPage,
  work: () => Promise<void>,
  limitMs = 50,
): Promise<number[]> {
  const events: { name: string; pid: number; tid: number; tdur?: number; args?: { name?: string } }[] = [];
  const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as typeof events));
  devtools.on('Tracing.dataCollected', collect as never);
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'] },
  } as never);
  await work();
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await complete;
  devtools.off('Tracing.dataCollected', collect as never);
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
    .filter((ms) => ms > limitMs)
    .sort((a, b) => b - a);
}
