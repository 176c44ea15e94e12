/**
 * `npm run trace`: one booking at a venue whose system is reached over the network, as a collector of traces sees it.
 * Prints the tree and writes it to `proof/TRACE.md`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { writeReport } from '../../bench/report.ts';
import { type CollectedSpan, treeOf } from '../../test/support/peers/trace-collector.ts';
import {
  bookingBody,
  REMOTE_DINNER,
  startTracedWorld,
  type TracedWorld,
} from '../../test/support/traced-world.ts';

const TRACE_ID = '5f0c2d3e8b1a4c6d9e7f001122334455';
const PATIENCE_MS = 20_000;

await using world = await startTracedWorld();
const body = JSON.stringify({ callbackUrl: `${world.receiver.url}/hooks` });
await world.call('/webhooks/subscriptions', { method: 'POST', body });
// The second time statements are prepared and catalogues are in memory, as they are on a node that runs.
await book(world, '18:00', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
await book(world, '19:30', TRACE_ID);
const tree = treeOf(await collected(world, TRACE_ID), lineOf).join('\n');
console.log(tree);
writeReport('proof/TRACE.md', {
  title: 'The trace of one booking',
  command: 'npm run trace',
  body: `A partner books at a venue whose system speaks \`connect\`, and subscribes to webhooks. The spans as the collector got them: when each began after the first of them, how long it took, its name. The delivery is made by the dispatcher, after the answer.

\`\`\`text
${tree}
\`\`\`
`,
});

async function book({ call }: TracedWorld, time: string, traceId: string): Promise<void> {
  const answer = await call(`/venues/${encodeURIComponent(REMOTE_DINNER)}/booking`, {
    method: 'POST',
    body: bookingBody(time),
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  await collected(world, traceId);
}

async function collected({ collector }: TracedWorld, traceId: string): Promise<CollectedSpan[]> {
  const untilMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const names = spans.map(({ name }) => name);
    if (names.includes('webhooks.deliver') && names.some((name) => name.startsWith('POST /'))) return spans;
    if (Date.now() > untilMs) throw new Error(`The trace is not complete: ${names.join(', ')}`);
    await sleep(100);
  }
}

function lineOf({ name, startMs, durationMs, attributes }: CollectedSpan): string {
  const firstMs = Math.min(
    ...world.collector.spans.filter(({ traceId }) => traceId === TRACE_ID).map((span) => span.startMs),
  );
  const status = attributes['http.response.status_code'];
  const at = `+${(startMs - firstMs).toFixed(1)} ms`.padStart(9);
  // The port is another one with every run.
  const shown = name.replace(/127\.0\.0\.1:\d+/, 'system.example');
  return `${shown}  ${at}, ${durationMs.toFixed(1)} ms${status === undefined ? '' : `, ${status}`}`;
}
