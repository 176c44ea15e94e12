import { insertAll } from '../../../db/bulk-insert.ts';
import type { Fragment, Tx } from '../../../db/database.ts';
import { LOCAL_SYSTEMS } from '../../../tms/systems.ts';
import { type Hours, minutesOf } from './hours.ts';

/** Whose hours they are: a venue's, or a product's, which names its venue too. */
export type HoursKey = { venue_id: string } | { product_id: string; venue_id: string };

const ownerOf = (key: HoursKey): Owner => ('product_id' in key ? 'product' : 'venue');

export async function insertHours(tx: Tx, key: HoursKey, hours: Hours): Promise<void> {
  const weekly = hours.weekly.flatMap(({ weekdays, periods }) =>
    weekdays.flatMap((weekday) =>
      periods.map(minutesOf).map(({ opens, closes }) => ({
        ...key,
        weekday,
        opens_minute: opens,
        closes_minute: closes,
      })),
    ),
  );
  const dated = (hours.exceptions ?? []).flatMap(({ date, periods, reason = null }) => {
    const stretches = periods.length === 0 ? [{ opens: null, closes: null }] : periods.map(minutesOf);
    return stretches.map(({ opens, closes }) => ({
      ...key,
      date,
      opens_minute: opens,
      closes_minute: closes,
      reason,
    }));
  });
  await insertAll(tx, `${ownerOf(key)}_hours`, weekly);
  await insertAll(tx, `${ownerOf(key)}_exception`, dated);
}

export async function replaceHours(tx: Tx, key: HoursKey, hours: Hours): Promise<void> {
  const owner = ownerOf(key);
  const isOwn = 'product_id' in key ? tx`product_id = ${key.product_id}` : tx`venue_id = ${key.venue_id}`;
  await tx`delete from ${tx(`${owner}_hours`)} where ${isOwn}`;
  await tx`delete from ${tx(`${owner}_exception`)} where ${isOwn}`;
  await insertHours(tx, key, hours);
}

/** Rows as one JSON array, so that what stands below something is read with it in a single statement. */
export const rows = (tx: Tx, query: Fragment): Fragment =>
  tx`(select coalesce(json_agg(row), '[]') from (${query}) row)`;

type Owner = 'venue' | 'product';

/** Venues and products have tables of hours and of exceptions with the same columns. */
function keptHours(
  tx: Tx,
  owner: Owner,
  isOwn: Fragment,
  exceptions = `${owner}_exception`,
): { weekly: Fragment; dated: Fragment } {
  const weekly = tx`
    select weekday, opens_minute as opens, closes_minute as closes from ${tx(`${owner}_hours`)}
    where ${isOwn} order by weekday, opens_minute`;
  const dated = tx`
    select date, opens_minute as opens, closes_minute as closes, reason from ${tx(exceptions)}
    where ${isOwn} order by date, opens_minute`;
  return { weekly: rows(tx, weekly), dated: rows(tx, dated) };
}

/** As the operator has written them. */
export function hoursOf(tx: Tx, owner: Owner, isOwn: Fragment): Fragment {
  const { weekly, dated } = keptHours(tx, owner, isOwn);
  return tx`${weekly} as hours, ${dated} as exceptions`;
}

/**
 * The hours that the venues `v` and their products really have. A date on which the venue is closed closes its products
 * too. Where the system knows the hours itself, nothing of those in the catalogue holds but what is said about dates.
 */
export function tradingHoursOf(tx: Tx, owner: Owner, isOwn: Fragment): Fragment {
  const exceptions = owner === 'product' ? 'product_dated_hours' : undefined;
  const { weekly, dated } = keptHours(tx, owner, isOwn, exceptions);
  const ofSystem = (hours: Fragment) =>
    rows(
      tx,
      tx`select date, opens_minute as opens, closes_minute as closes,
           (select reason from venue_exception e where e.venue_id = v.id and e.date = o.date
             order by e.opens_minute limit 1) as reason
         from (${hours}) o order by date, opens_minute`,
    );
  return tx`
    ${bySystem(tx, () => tx`'[]'`, weekly)} as hours,
    ${bySystem(tx, ofSystem, dated)} as exceptions`;
}

/** One expression for venues `v` whose system knows their hours itself, made of these hours, and one for all others. */
export function bySystem(tx: Tx, ofSystem: (hours: Fragment) => Fragment, others: Fragment): Fragment {
  return LOCAL_SYSTEMS.reduce(
    (rest, { slug, hoursOf }) =>
      hoursOf ? tx`case v.tms when ${slug} then ${ofSystem(hoursOf(tx))} else ${rest} end` : rest,
    others,
  );
}
