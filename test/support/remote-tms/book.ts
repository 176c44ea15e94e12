/** The reservation book of the remote test system: so many parties at each start, in memory. */

export interface RemoteBooking {
  id: string;
  reference: string;
  product: string;
  date: string;
  minute: number;
  guests: number;
}

export interface RemoteBookOptions {
  product: string;
  /** Starts of every day, in minutes. */
  starts: readonly number[];
  durationMinutes: number;
  partiesPerStart: number;
  maxGuests: number;
}

export type RemoteAnswer = { status: number; body?: unknown };
export type Wish = Pick<RemoteBooking, 'product' | 'date' | 'minute' | 'guests'>;

const refusal = (reason: string): RemoteAnswer => ({ status: 409, body: { reason } });

export function createRemoteBook(options: RemoteBookOptions) {
  const bookings = new Map<string, RemoteBooking>();
  let lastNumber = 0;

  const leftAt = (date: string, minute: number) => {
    const there = [...bookings.values()].filter((entry) => entry.date === date && entry.minute === minute);
    return options.partiesPerStart - there.length;
  };
  const show = (booking: RemoteBooking) => ({ ...booking, durationMinutes: options.durationMinutes });

  function obstacleTo({ product, date, minute, guests }: Wish): string | undefined {
    if (product !== options.product) return 'no-such-product';
    if (guests > options.maxGuests) return 'party-never-fits';
    if (!options.starts.includes(minute)) return 'closed';
    return leftAt(date, minute) > 0 ? undefined : 'taken';
  }

  return {
    bookings,
    days(product: string, dates: readonly string[]): RemoteAnswer {
      if (product !== options.product) return refusal('no-such-product');
      const days = dates.map((date) => ({
        date,
        starts: options.starts.map((minute) => ({ minute, left: leftAt(date, minute) })),
      }));
      const { durationMinutes, maxGuests } = options;
      return { status: 200, body: { durationMinutes, maxGuests, days } };
    },
    book(id: string, wish: Wish): RemoteAnswer {
      const known = bookings.get(id);
      if (known) return { status: 200, body: show(known) };
      const obstacle = obstacleTo(wish);
      if (obstacle) return refusal(obstacle);
      lastNumber += 1;
      const made = { id, reference: `R${lastNumber}`, ...wish };
      bookings.set(id, made);
      return { status: 201, body: show(made) };
    },
    amend(id: string, wish: Wish): RemoteAnswer {
      const known = bookings.get(id);
      if (!known) return { status: 404 };
      bookings.delete(id);
      const obstacle = obstacleTo(wish);
      const kept = obstacle ? known : { ...known, ...wish };
      bookings.set(id, kept);
      return obstacle ? refusal(obstacle) : { status: 200, body: show(kept) };
    },
    cancel(id: string): RemoteAnswer {
      bookings.delete(id);
      return { status: 204 };
    },
    find(id: string): RemoteAnswer {
      const known = bookings.get(id);
      return known ? { status: 200, body: show(known) } : { status: 404 };
    },
  };
}

export type RemoteBook = ReturnType<typeof createRemoteBook>;
