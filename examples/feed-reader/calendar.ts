/** The calendar that the feed reader keeps: a file of SQLite with what can be had of which product on which day. */
import { DatabaseSync } from 'node:sqlite';
import type { FeedShard, FeedState, FeedStore, FeedUpdate } from '@maitred/client';

/** A product that has a feed. */
export interface Feed {
  productId: string;
  product: string;
  venue: string;
  url: string;
}

/** What reading took. */
export interface Cost {
  requests: number;
  bytes: number;
}

export interface FreeStart {
  venue: string;
  product: string;
  time: string;
  spots: number;
}

/** Days change as a whole, so they are stored as a whole. */
const TABLES = `
  create table if not exists feed (url text primary key, state text not null) strict;
  create table if not exists product (id text primary key, name text not null, venue text not null) strict;
  create table if not exists day (product_id text, date text, starts text not null, primary key (product_id, date)) strict;
  create index if not exists day_date on day (date);
  create table if not exists full_read (requests integer not null, bytes integer not null) strict;`;

/** What is confirmed at once. An enquiry can be made of much that is full. */
const FREE = `
  select p.venue, p.name as product, s.value ->> 0 as time, sum(s.value ->> 3) as spots
  from day d join product p on p.id = d.product_id, json_each(d.starts) s
  where d.date = ? and s.value ->> 1 = ? and s.value ->> 2 = 'book'
  group by p.id, 3 order by p.venue, p.name, 3`;

export class Calendar {
  readonly #database: DatabaseSync;
  readonly #putDay;
  readonly #dropDay;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      'pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000;',
    );
    this.#database.exec(TABLES);
    this.#putDay = this.#database.prepare(
      'insert or replace into day (product_id, date, starts) values (?, ?, ?)',
    );
    this.#dropDay = this.#database.prepare('delete from day where product_id = ? and date = ?');
  }

  /** Where the reader of the client keeps what it knows of each feed. */
  get states(): FeedStore {
    const find = this.#database.prepare('select state from feed where url = ?');
    const put = this.#database.prepare('insert or replace into feed (url, state) values (?, ?)');
    return {
      get: (url): FeedState | undefined => {
        const row = find.get(url) as { state: string } | undefined;
        return row && JSON.parse(row.state);
      },
      set: (url, state) => put.run(url, JSON.stringify(state)),
    };
  }

  /** The same update twice is the same calendar: the reader gives it again if the process dies before it is noted. */
  apply(productId: string, { changed, removed }: FeedUpdate): void {
    if (changed.length + removed.length === 0) return;
    this.#inTransaction(() => {
      for (const shard of changed) this.#putDay.run(productId, shard.date, startsOf(shard));
      for (const date of removed) this.#dropDay.run(productId, date);
    });
  }

  /** What is not among these is not ours to sell any more. An address that is new is read from its beginning. */
  keepOnly(feeds: readonly Feed[]): void {
    const put = this.#database.prepare('insert or replace into product (id, name, venue) values (?, ?, ?)');
    const ids = JSON.stringify(feeds.map(({ productId }) => productId));
    const urls = JSON.stringify(feeds.map(({ url }) => url));
    this.#inTransaction(() => {
      for (const { productId, product, venue } of feeds) put.run(productId, product, venue);
      this.#database.prepare('delete from product where id not in (select value from json_each(?))').run(ids);
      this.#database
        .prepare('delete from day where product_id not in (select value from json_each(?))')
        .run(ids);
      this.#database.prepare('delete from feed where url not in (select value from json_each(?))').run(urls);
    });
  }

  free(date: string, partySize: number): FreeStart[] {
    return this.#database.prepare(FREE).all(date, partySize) as unknown as FreeStart[];
  }

  countDays(): number {
    return (this.#database.prepare('select count(*) as days from day').get() as { days: number }).days;
  }

  /** What it took to read everything, to compare with. */
  get fullRead(): Cost | undefined {
    return this.#database.prepare('select requests, bytes from full_read').get() as Cost | undefined;
  }

  set fullRead(cost: Cost) {
    this.#inTransaction(() => {
      this.#database.exec('delete from full_read');
      this.#database
        .prepare('insert into full_read (requests, bytes) values (?, ?)')
        .run(cost.requests, cost.bytes);
    });
  }

  close(): void {
    this.#database.close();
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}

const startsOf = ({ slots }: FeedShard) =>
  JSON.stringify(slots.map(({ time, party_size, type, spots_open }) => [time, party_size, type, spots_open]));
