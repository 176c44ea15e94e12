/** Every change under `/manage` that was acknowledged is in the trail, and nothing else is there in its maker's name. */
import type { Evidence } from './evidence.ts';
import { type Entry, isCut, isDone, isWrite } from './journal.ts';

/** Only looks, though it is sent like a change. */
const LOOKS = /\/dry-run$/;
/** Done again, they are answered the same and change nothing. */
const IDEMPOTENT = /\/(?:cancel|take-up)$|^DELETE \/venues\/\{venueCompositeId\}\/site-faqs$/;

export function checkTrail({ entries, audit }: Evidence): string[] {
  const changes = entries.filter((entry) => isWrite(entry) && isManaged(entry) && !LOOKS.test(entry.route));
  const written = Map.groupBy(audit, ({ actorId }) => actorId);
  return [...Map.groupBy(changes, ({ client }) => client)].flatMap(([client, own]) => {
    const done = own.filter(isDone);
    const least = done.filter(({ route }) => !IDEMPOTENT.test(route)).length;
    const most = done.length + own.filter(isCut).length;
    const count = written.get(client ?? '')?.length ?? 0;
    return least <= count && count <= most
      ? []
      : [`${count} changes of ${client} are in the trail, ${least} to ${most} were made`];
  });
}

const isManaged = ({ route, client }: Entry) =>
  (client ?? '').startsWith('storm-') && (route.includes(' /manage/') || route.includes('site-faqs'));
