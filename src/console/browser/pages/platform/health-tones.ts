/** How well each part of the platform is. Beyond these limits the platform has to act. */
import type { PlatformHealth } from '../../../../features/health/schema.ts';
import type { Tone } from '../../components/tone-tag.ts';

export const PARTS = [
  'nodes',
  'database',
  'queues',
  'mails',
  'webhooks',
  'feeds',
  'encryption',
  'systems',
] as const;
export type Part = (typeof PARTS)[number];

const SLOW_DATABASE_MS = 250;
const MOST_CONNECTIONS = 0.9;
/** Jobs start within seconds; a minute means that no worker gets to them. */
const LATE_JOB_MS = 60_000;
const LATE_MAIL_MS = 15 * 60_000;
const LATE_DELIVERY_MS = 5 * 60_000;

const isOlder = (instant: string | null, ms: number, now: number) =>
  instant !== null && now - Date.parse(instant) > ms;

function toneOf(health: PlatformHealth, part: Part): Tone {
  const now = Date.parse(health.at);
  if (part === 'systems') return health.systems.some(({ isResting }) => isResting) ? 'bad' : 'good';
  if (part === 'nodes') {
    if (!health.nodes?.some(({ isUp }) => isUp)) return 'bad';
    return health.nodes.every(({ isUp }) => isUp) ? 'good' : 'warn';
  }
  if (part === 'database') {
    if (!health.database) return 'bad';
    const { latencyMs, connections, maxConnections } = health.database;
    return latencyMs > SLOW_DATABASE_MS || connections > maxConnections * MOST_CONNECTIONS ? 'warn' : 'good';
  }
  if (part === 'queues') {
    if (!health.queues) return 'bad';
    if (health.queues.some(({ oldestDueAt }) => isOlder(oldestDueAt, LATE_JOB_MS, now))) return 'bad';
    return health.queues.some(({ failed }) => failed > 0) ? 'warn' : 'good';
  }
  if (part === 'mails') {
    if (!health.mails || isOlder(health.mails.oldestDueAt, LATE_MAIL_MS, now)) return 'bad';
    return health.mails.retrying > 0 ? 'warn' : 'good';
  }
  if (part === 'webhooks') {
    if (!health.webhooks || isOlder(health.webhooks.oldestDueAt, LATE_DELIVERY_MS, now)) return 'bad';
    return health.webhooks.failing.length > 0 ? 'warn' : 'good';
  }
  if (part === 'encryption') {
    if (!health.encryption || health.encryption.state === 'stuck') return 'bad';
    return health.encryption.state === 'settled' ? 'good' : 'warn';
  }
  if (!health.feeds || health.feeds.failing > 0) return 'bad';
  return 'good';
}

export const tonesOf = (health: PlatformHealth) =>
  Object.fromEntries(PARTS.map((part) => [part, toneOf(health, part)])) as Record<Part, Tone>;
