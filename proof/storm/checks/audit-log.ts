/** Every change under `/manage` that was acknowledged is in the audit log, and nothing else is there in its maker's name. */
import { CLOSURES } from '../actors/closer.ts';
import type { Evidence } from '../evidence.ts';
import { type Entry, isCut, isDone, isWrite } from '../journal.ts';

/** Only looks, though it is sent like a change. */
const LOOKS = /\/(?:dry-run|test)$/;
const isLook = ({ route, path }: Entry) => LOOKS.test(route) || path.includes('dryRun=true');
/** Done again, they are answered the same and change nothing. */
const IDEMPOTENT =
  /\/(?:cancel|take-up|visit|forget-guest|tables|actuals|swap|closures|waitlist\/\{entryId\}\/book)$|^DELETE .*\/(?:site-faqs|holds\/\{holdId\}|waitlist\/\{entryId\})$/;

/** Two bookings, or an entry and its booking. */
const TWICE = /\/(?:swap|waitlist\/\{entryId\}\/book)$/;

export function checkAuditLog({ entries, audit }: Evidence): string[] {
  const changes = entries.filter((entry) => isWrite(entry) && isManaged(entry) && !isLook(entry));
  const written = Map.groupBy(audit, ({ actorId }) => actorId);
  return [...Map.groupBy(changes, ({ client }) => client)].flatMap(([client, own]) => {
    const done = distinct(own.filter(isDone));
    const least = done.filter(({ route }) => !IDEMPOTENT.test(route)).length;
    const twice = done.filter(({ route }) => TWICE.test(route)).length;
    const most = done.length + twice + own.filter(isCut).length;
    // Who closes a venue is named in the entry of each booking that is cancelled with it.
    const isClosing = own.some(({ route }) => route === `POST ${CLOSURES}`);
    const count = (written.get(client ?? '') ?? []).filter(
      ({ action }) => !(isClosing && action.startsWith('booking.')),
    ).length;
    return least <= count && count <= most
      ? []
      : [`${count} changes of ${client} are in the audit log, ${least} to ${most} were made`];
  });
}

/** What was answered twice under one key was done once. */
function distinct(done: readonly Entry[]): Entry[] {
  const keys = new Set<string>();
  return done.filter(({ key }) => {
    if (key === null) return true;
    const isNew = !keys.has(key);
    keys.add(key);
    return isNew;
  });
}

const isManaged = ({ route, client }: Entry) =>
  (client ?? '').startsWith('storm-') && (route.includes(' /manage/') || route.includes('site-faqs'));
