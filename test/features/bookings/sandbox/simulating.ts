/** What the tests of simulations share, besides `support.ts` and `amending.ts`. */
import { assertUnchanged, read, standingClock, taken } from '../amend/amending.ts';
import { type Body, booked, bookingsApp, DINNER } from '../support.ts';

/** An application whose clock stands: nothing but its own changes moves a booking on. */
export function simulatingApp() {
  const { clock } = standingClock();
  const maitred = bookingsApp({ deps: { clock } });

  async function simulate(bookingId: string, changes: Body) {
    await maitred().sql`delete from webhook_test_window`;
    const body = { eventType: 'booking.updated', bookingId, changes };
    return maitred().call('/webhooks/test', { method: 'POST', body });
  }

  return {
    maitred,
    /** The booking after a change that must be possible. */
    async simulated(id: string, changes: Body): Promise<Body> {
      await taken(simulate(id, changes));
      return taken(read(maitred(), id));
    },
    /** Asserts that a change is refused and leaves every row of the booking as it was. */
    assertImpossible: (id: string, changes: Body) =>
      assertUnchanged(maitred(), id, () => simulate(id, changes), 400, 'SBOX-N-004'),
    enquire: (body: Body = {}, productId = DINNER) =>
      booked(maitred(), { type: 'request', ...body }, { productId }),
  };
}
