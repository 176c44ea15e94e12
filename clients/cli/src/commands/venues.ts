/** `venues`, `availability`: what there is to book. */
import type { Maitred } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { isRelative, readCount, readDate, readTime, todayIn } from '../dates.ts';
import { money, printable } from '../output.ts';

const DEFAULT_LIMIT = '20';
/** No longer than the sets of the service allow. */
const MOST_A_PAGE = 100;

export const venues = defineCommand({
  name: 'venues',
  summary: 'List the venues that you may sell, or find some',
  arguments: [{ name: 'TEXT', isOptional: true, isRepeated: true }],
  options: {
    city: { type: 'string', value: 'CITY', about: 'Only venues of this city' },
    area: { type: 'string', value: 'AREA', about: 'Only venues of this part of it' },
    limit: { type: 'string', value: 'COUNT', about: `How many at most; ${DEFAULT_LIMIT} if not given` },
  },
  examples: [
    'maitred venues',
    'maitred venues quiet italian --city London',
    'maitred venues --limit 100 --json',
  ],
  async run({ args, options: { city, area, limit = DEFAULT_LIMIT } }, { out, connect, signal }) {
    const maitred = await connect();
    const most = readCount('--limit', limit);
    const query = args.join(' ');
    const found = await maitred.venues
      .list(
        {
          ...(query && { query, sortBy: 'relevance' as const }),
          ...(city && { city }),
          ...(area && { area }),
          pageSize: Math.min(most, MOST_A_PAGE),
          fields: 'id,name,types,location(area,city),products(compositeId,productName)',
        },
        { signal },
      )
      .all(most);
    out.document(found, () => {
      if (found.length === 0) return out.line('There is no such venue.');
      out.table(found, [
        { title: 'VENUE', of: ({ id }) => id },
        { title: 'NAME', of: ({ name }) => name },
        { title: 'WHERE', of: ({ location }) => `${location?.area}, ${location?.city}` },
        { title: 'PRODUCTS', of: ({ products }) => products?.map(keyOf).join(', ') },
      ]);
    });
  },
});

export const showVenue = defineCommand({
  name: 'venues show',
  summary: 'Show one venue and its products',
  arguments: [{ name: 'VENUE' }],
  options: {},
  examples: ["maitred venues show '1|house|soho-grill'"],
  async run({ args: [id = ''] }, { out, connect, signal }) {
    const maitred = await connect();
    const venue = await maitred.venues.get(id, {}, { signal });
    out.document(venue, () => {
      const {
        name,
        venueGroupName,
        location,
        timeZone,
        phone_number: phone,
        website,
        content,
        products,
      } = venue;
      out.line(out.style('bold', printable(name)));
      if (content?.summary) out.line(printable(content.summary));
      out.line();
      out.facts({
        id: venue.id,
        operator: venueGroupName,
        address: [location.address, location.area, location.city, location.postcode]
          .filter(Boolean)
          .join(', '),
        'time zone': timeZone,
        phone,
        website,
      });
      out.line();
      out.table(products, [
        { title: 'PRODUCT', of: ({ compositeId }) => compositeId },
        { title: 'NAME', of: ({ productName }) => productName },
        { title: 'DEPOSIT', of: ({ depositRequired }) => (depositRequired ? 'yes' : 'no') },
        { title: 'FEED', of: ({ feedUrl }) => (feedUrl ? 'yes' : 'not yet') },
      ]);
    });
  },
});

export const availability = defineCommand({
  name: 'availability',
  summary: 'Show when a product can be had',
  arguments: [{ name: 'PRODUCT' }],
  options: {
    date: {
      type: 'string',
      value: 'DAY',
      about: '2026-12-05, today, tomorrow, +7d or friday; today if not given',
    },
    time: { type: 'string', value: 'TIME', about: 'Around this time, such as 19:30' },
    party: { type: 'string', value: 'COUNT', about: 'How many adults; 2 if not given' },
    children: { type: 'string', value: 'COUNT', about: 'How many children besides' },
  },
  examples: [
    "maitred availability '1|house|soho-grill|dinner' --date friday --party 4",
    "maitred availability '1|house|soho-grill|dinner' --date 2026-12-05 --time 19:30",
  ],
  async run({ args: [product = ''], options }, { out, connect, signal }) {
    const { date = 'today', time, party = '2', children } = options;
    const maitred = await connect();
    const day = await dayAt(maitred, product, date, signal);
    const answer = await maitred.availability.get(
      product,
      {
        date: day,
        partySize: readCount('--party', party),
        ...(children && { children: readCount('--children', children) }),
        ...(time && { time: readTime(time) }),
      },
      { signal },
    );
    out.document(answer, () => {
      const { name, times, deposit, noAvailabilityReason } = answer;
      out.line(`${out.style('bold', printable(name))}, ${day}, for ${party}`);
      if (times.length === 0) return out.line(printable(noAvailabilityReason ?? 'There is nothing left.'));
      if (deposit) out.line(`Deposit: ${money(deposit.total, deposit.currency)}`);
      out.line();
      out.table(times, [
        { title: 'TIME', of: ({ time: start }) => start },
        { title: 'MINUTES', of: ({ duration }) => duration, isNumber: true },
        { title: 'HOW', of: ({ type }) => (type === 'book' ? 'book' : 'on request') },
        { title: 'WHY', of: ({ requestReason }) => requestReason },
      ]);
    });
  },
});

export const venueOf = (compositeId: string) => compositeId.split('|').slice(0, 3).join('|');

/** The day at the venue: «tomorrow» begins there when it is midnight there. */
export async function dayAt(
  maitred: Maitred,
  product: string,
  text: string,
  signal: AbortSignal,
): Promise<string> {
  if (!isRelative(text)) return readDate(text, text);
  const venueId = venueOf(product);
  if (venueId === product)
    throw new UsageError(
      'A product is named like 1|house|soho-grill|dinner, in quotes because of the bars; `maitred venues show VENUE` lists those of a venue.',
    );
  const { timeZone = 'UTC' } = await maitred.venues.get(venueId, { fields: 'timeZone' }, { signal });
  return readDate(text, todayIn(timeZone, Date.now()));
}

const keyOf = ({ compositeId = '' }: { compositeId?: string }) => compositeId.split('|').at(-1) ?? '';
