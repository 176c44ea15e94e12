/** What callers ask: mostly reading, as sites do that show venues, with a booking now and then. */
import { guest, placeOf } from '../../bench/bookings/bookings-venues.ts';
import { getRequest, postRequest } from '../../bench/load.ts';
import { venueOfProduct } from '../../src/kernel/ids.ts';

export interface Partner {
  reference: string;
  headers: Record<string, string>;
  /** Bookings that it made beforehand. */
  bookingIds: string[];
}

type Ask = (partner: Partner, n: number) => Buffer;

interface Kind {
  name: string;
  /** Of a hundred requests. */
  share: number;
  ask: Ask;
}

const PAGES = 3;
const segment = (id: string) => encodeURIComponent(id);

export const KINDS: readonly Kind[] = [
  {
    name: 'a page of venues',
    share: 30,
    ask: ({ headers }, n) => getRequest(`/venues?pageSize=20&pageNumber=${1 + (n % PAGES)}`, headers),
  },
  {
    name: 'one venue',
    share: 25,
    ask: ({ headers }, n) => getRequest(`/venues/${segment(venueOfProduct(placeOf(n).productId))}`, headers),
  },
  {
    name: 'live availability',
    share: 25,
    ask: ({ headers }, n) => {
      const { productId, date } = placeOf(n);
      return getRequest(`/venues/${segment(productId)}/availability?date=${date}&partySize=2`, headers);
    },
  },
  {
    name: 'one booking',
    share: 10,
    ask: ({ headers, bookingIds }, n) =>
      getRequest(`/venues/bookings/${bookingIds[n % bookingIds.length]}`, headers),
  },
  {
    name: 'a new booking',
    share: 10,
    ask: ({ headers, reference }, n) => {
      const { productId, ...when } = placeOf(n);
      const body = { ...guest, ...when, partnerBookingId: `${reference}-${n}` };
      return postRequest(`/venues/${segment(productId)}/booking`, headers, body);
    },
  },
];

/** Kinds by their share, partners in turn; every number is another place, so that no two bookings want the same. */
export function createMix(partners: readonly Partner[], random: () => number): () => Buffer {
  let n = 0;
  return () => {
    n += 1;
    const partner = partners[n % partners.length];
    if (!partner) throw new Error('A mix needs partners.');
    return kindAt(random() * 100).ask(partner, n);
  };
}

function kindAt(point: number): Kind {
  let reached = 0;
  for (const kind of KINDS) {
    reached += kind.share;
    if (point < reached) return kind;
  }
  throw new Error('The shares do not add up to a hundred.');
}
