import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PlaceRequest, Slot } from '../../src/tms/contract.ts';
import type { CataloguePage } from '../../src/tms/remote.ts';
import { assertRefused, type BoundReading, expectOk, type Harness } from './conformance-harness.ts';

interface Suite {
  harness(): Harness;
  requestFor(slot: Slot, changes?: Partial<PlaceRequest>): PlaceRequest;
  /** Of a day that no other test uses. */
  firstStart(): Promise<Slot>;
}

const MOST_PAGES = 100;
const LATE_MS = 10 * 60_000;

/** What every connector must do whose system tells its catalogue and its changes, or can be tried. */
export function readingConforms({ harness, requestFor, firstStart }: Suite): void {
  const testWith = <Name extends keyof BoundReading>(
    name: Name,
    title: string,
    run: (read: NonNullable<BoundReading[Name]>) => Promise<void>,
  ) =>
    test(title, async (context: TestContext) => {
      const read = harness().system.reading?.[name];
      if (read) await run(read as NonNullable<BoundReading[Name]>);
      else context.skip(`The system has no ${name}.`);
    });

  testWith(
    'catalogue',
    'the catalogue has an end, names nothing twice, and has what is sold',
    async (read) => {
      const venues: CataloguePage['venues'] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: CataloguePage = expectOk(await read(cursor));
        assert.deepEqual(expectOk(await read(cursor)), page, 'a page stays as it is');
        venues.push(...page.venues);
        cursor = page.next;
        pages += 1;
        assert.ok(pages <= MOST_PAGES, 'the pages have no end');
      } while (cursor !== null);
      const ids = venues.map(({ resourceId }) => resourceId);
      assert.equal(new Set(ids).size, ids.length);
      const { venueId, productId, zone } = harness();
      const venue = venues.find(({ resourceId }) => venueId.endsWith(`|${resourceId}`));
      assert.equal(venue?.timeZone, zone);
      const keys = venue?.products.map(({ key }) => key) ?? [];
      assert.equal(new Set(keys).size, keys.length);
      assert.ok(keys.includes(productId.slice(venueId.length + 1)), keys.join());
    },
  );

  testWith(
    'changes',
    'what changes is named from the cursor on, and again from the same cursor',
    async (read) => {
      const { system } = harness();
      const since = async (from: string): Promise<{ ids: string[]; cursor: string }> => {
        const ids: string[] = [];
        for (let cursor = from; ; ) {
          const page = expectOk(await read(cursor));
          ids.push(...page.bookingIds);
          cursor = page.cursor;
          if (!page.hasMore) return { ids, cursor };
        }
      };
      const { cursor: begin } = expectOk(await read(null));
      const request = requestFor(await firstStart());
      expectOk(await system.book(request));
      const booked = await since(begin);
      assert.ok(booked.ids.includes(request.bookingId));
      assert.ok(
        (await since(begin)).ids.includes(request.bookingId),
        'a page that was lost can be read again',
      );
      assert.ok(!(await since(booked.cursor)).ids.includes(request.bookingId));
      expectOk(await system.cancel(request.bookingId));
      assert.ok((await since(booked.cursor)).ids.includes(request.bookingId));
    },
  );

  testWith('checkAccount', 'an account is let in, and one with other credentials is not', async (check) => {
    const { account } = harness();
    assert.ok(account, 'the harness has an account');
    expectOk(await check(account));
    const wrong = Object.fromEntries(Object.keys(account.credentials).map((name) => [name, 'wrong']));
    assertRefused(await check({ ...account, credentials: wrong }), 'rejected');
  });

  testWith('readNotification', 'a notification of the system is read, and no other', async (read) => {
    const { account, notification, nowMs } = harness();
    assert.ok(account && notification, 'the harness has an account and signs notifications');
    const ids = [requestFor(await firstStart()).bookingId];
    const sent = notification(ids, nowMs);
    assert.deepEqual(expectOk(await read(account, sent)), { bookingIds: ids });
    const altered = { ...sent, body: Buffer.from(`${sent.body} `) };
    assertRefused(await read(account, altered), 'rejected');
    assertRefused(await read(account, { ...sent, nowMs: nowMs + LATE_MS }), 'rejected');
    const { credentials: _, ...stranger } = account;
    assertRefused(await read({ ...stranger, credentials: {} }, sent), 'rejected');
  });
}
