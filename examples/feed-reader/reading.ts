/** Reads the feeds of all products that a partner sells into a calendar: all of them once, then what changed. */
import { FeedGoneError, FeedReader, type Maitred } from '@maitred/client';
import type { Calendar, Cost, Feed } from './calendar.ts';

export interface Round extends Cost {
  products: number;
  /** Days that are new, different or gone. */
  days: number;
  /** Products whose feed has moved or gone; their addresses are read again before the next round. */
  moved: number;
}

/** The products that have a feed at this moment. A node that is new makes feeds in its first minutes. */
export async function listFeeds(maitred: Maitred): Promise<Feed[]> {
  const fields = 'name,products(compositeId,productName,feedUrl)';
  const feeds: Feed[] = [];
  for await (const { name = '', products = [] } of maitred.venues.list({ fields, pageSize: 100 })) {
    for (const { compositeId = '', productName = '', feedUrl } of products)
      if (feedUrl) feeds.push({ productId: compositeId, product: productName, venue: name, url: feedUrl });
  }
  return feeds;
}

/** The reader limits how many files are fetched at a time, so all feeds may be asked for at once. */
export async function readRound(feeds: readonly Feed[], calendar: Calendar): Promise<Round> {
  const round: Round = { products: feeds.length, requests: 0, bytes: 0, days: 0, moved: 0 };
  const counted: typeof fetch = (...args) => {
    round.requests += 1;
    return fetch(...args);
  };
  const reader = new FeedReader({ store: calendar.states, fetch: counted });
  const isFirst = calendar.countDays() === 0;
  await Promise.all(
    feeds.map(async ({ productId, url }) => {
      try {
        const { bytes, changed, removed } = await reader.read(url, (update) =>
          calendar.apply(productId, update),
        );
        round.bytes += bytes.index + bytes.shards;
        round.days += changed.length + removed.length;
      } catch (error) {
        if (!(error instanceof FeedGoneError)) throw error;
        round.moved += 1;
      }
    }),
  );
  if (isFirst) calendar.fullRead = round;
  return round;
}
