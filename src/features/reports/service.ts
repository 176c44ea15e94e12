/** Reports of an operator: figures by date of the visit, and bookings and money as files. */
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { inSnapshot, inTransaction, type Sql, type Tx } from '../../db/database.ts';
import { primaryReads, type Reads, readTogether } from '../../db/reads.ts';
import { type Actor, assertRole } from '../../http/auth/actor.ts';
import { timestampOf } from '../../kernel/clock.ts';
import { DEADLINES } from '../../kernel/deadlines.ts';
import type { VenueId } from '../../kernel/ids.ts';
import { invalid, problem } from '../../kernel/problem.ts';
import { outsideRequest } from '../../kernel/request-scope.ts';
import { clockTime, dateTimeOf, daysBetween, isTradingDay } from '../../kernel/zone-time.ts';
import type { AuditLog } from '../audit/service.ts';
import type { Bookings } from '../bookings/service.ts';
import { type Cell, csvLine } from './csv.ts';
import type { MoneyReport } from './money-schema.ts';
import {
  findDeclared,
  findOpenMoney,
  type LedgerRow,
  listDifferences,
  type MoneyRow,
  readLedger,
  sumMoney,
} from './money-store.ts';
import type { CoversReport } from './schema.ts';
import {
  type ExportedRow,
  type Grouping,
  type Period,
  ROWS_AT_A_TIME,
  readBookings,
  sumCovers,
} from './store.ts';

export interface Reports {
  covers(operatorId: number, period: Period, by: Grouping, venueId?: VenueId): Promise<CoversReport>;
  /** The file as a stream; it ends with an error when a reader takes too long. */
  exportBookings(actor: Actor, operatorId: number, options: ExportOptions): Promise<Readable>;
  money(operatorId: number, period: Period): Promise<MoneyReport>;
  /** Every entry of the ledger, in the same way. */
  exportLedger(operatorId: number, period: Period): Promise<Readable>;
}

export interface ExportOptions extends Period {
  guests: boolean;
}

export interface ReportsDeps {
  sql: Sql;
  reads?: Reads;
  auditLog: AuditLog;
  bookings: Pick<Bookings, 'openGuest'>;
}

const MOST_DAYS = 366;
/** Each holds a connection to the database for as long as its reader takes. */
const MOST_EXPORTS = 2;
const RETRY_SECONDS = 10;

export function createReports({ sql, reads = primaryReads(sql), auditLog, bookings }: ReportsDeps): Reports {
  let exporting = 0;

  async function write<Row>(
    file: PassThrough,
    columns: readonly Column<Row>[],
    read: (tx: Tx) => AsyncIterable<Row[]>,
  ): Promise<void> {
    return inSnapshot(await reads.choose(), async (tx: Tx) => {
      await take(file, csvLine(columns.map(([name]) => name)));
      for await (const rows of read(tx)) {
        await take(file, rows.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join(''));
        if (file.destroyed) return;
      }
    });
  }

  /** `prepare` runs before anything is written. */
  async function startFile(
    prepare: () => Promise<void>,
    fill: (file: PassThrough) => Promise<void>,
  ): Promise<Readable> {
    if (exporting >= MOST_EXPORTS)
      throw problem('RATE-R-001', {
        detail: 'Other exports are still being read from this node.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    exporting += 1;
    const file = new PassThrough();
    // The reader is told by the end of its connection.
    file.on('error', () => {});
    try {
      await prepare();
    } catch (error) {
      exporting -= 1;
      throw error;
    }
    const tooLong = setTimeout(() => file.destroy(new Error('The export took too long.')), DEADLINES.export);
    tooLong.unref();
    void outsideRequest(() => fill(file))
      .then(
        () => file.end(),
        (error) => file.destroy(error),
      )
      .finally(() => {
        clearTimeout(tooLong);
        exporting -= 1;
      });
    return file;
  }

  return {
    async covers(operatorId, period, by, venueId) {
      assertPeriod(period);
      const found = await reads.read((on) => sumCovers(on, operatorId, period, by, venueId));
      const [totals = NOTHING] = found.filter(({ isTotal }) => isTotal).map(figuresOf);
      const rows = found
        .filter(({ isTotal }) => !isTotal)
        .map((row) => ({ key: row.key, name: row.name, ...figuresOf(row) }));
      return { ...period, by, rows, totals };
    },

    async exportBookings(actor, operatorId, options) {
      const { from, to, guests } = options;
      assertPeriod(options);
      if (guests) assertRole(actor, operatorId, 'owner');
      const about = { actor, operatorId, action: 'bookings.export', subject: `bookings ${from}/${to}` };
      const note = (tx: Tx) => auditLog.record(tx, { ...about, after: { from, to, guests } });
      const columns = guests ? [...COLUMNS, ...guestColumns(bookings)] : COLUMNS;
      return startFile(
        async () => void (guests && (await inTransaction(sql, note))),
        (file) => write(file, columns, (tx) => readBookings(tx, operatorId, options, { hasGuests: guests })),
      );
    },

    async money(operatorId, period) {
      assertPeriod(period);
      return readTogether(reads, async (tx) => {
        const rows = await sumMoney(tx, operatorId, period);
        const grouped = (group: MoneyRow['by']) =>
          rows.filter(({ by }) => by === group).map(({ by: _, ...row }) => row);
        const differences = await listDifferences(tx, operatorId);
        return {
          ...period,
          totals: grouped('total').map(({ key: _, name: __, ...sums }) => sums),
          days: grouped('day'),
          venues: grouped('venue'),
          providers: grouped('provider'),
          open: await findOpenMoney(tx, operatorId),
          declared: await findDeclared(tx, operatorId, period),
          differences: differences.map((each) => ({ ...each, foundAt: timestampOf(each.foundAt) })),
        };
      });
    },

    async exportLedger(operatorId, period) {
      assertPeriod(period);
      return startFile(
        async () => {},
        (file) => write(file, LEDGER_COLUMNS, (tx) => readLedger(tx, operatorId, period, ROWS_AT_A_TIME)),
      );
    },
  };
}

function assertPeriod({ from, to }: Period): void {
  for (const [name, date] of Object.entries({ from, to }))
    if (!isTradingDay(date)) throw invalid(name, 'is out of range');
  if (to < from) throw invalid('to', 'must not be before from');
  if (daysBetween(from, to) >= MOST_DAYS)
    throw invalid('to', `must be less than ${MOST_DAYS} days after from`);
}

type FiguresOfRow = Omit<CoversReport['rows'][number], 'key' | 'name'>;

const figuresOf = (row: FiguresOfRow): FiguresOfRow => {
  const { bookings, covers, cancellations, noShows, spendPence, leadDays } = row;
  return { bookings, covers, cancellations, noShows, spendPence, leadDays };
};

const NOTHING: FiguresOfRow = {
  bookings: 0,
  covers: 0,
  cancellations: 0,
  noShows: 0,
  spendPence: 0,
  leadDays: null,
};

/** Waits while the reader is behind. */
async function take(file: PassThrough, text: string): Promise<void> {
  if (file.destroyed || file.write(text)) return;
  const read = new AbortController();
  const { signal } = read;
  await Promise.race([once(file, 'drain', { signal }), once(file, 'close', { signal })]).finally(() =>
    read.abort(),
  );
}

type Column<Row> = readonly [name: string, cellOf: (row: Row) => Cell];

const LEDGER_COLUMNS: readonly Column<LedgerRow>[] = [
  ['id', ({ id }) => id],
  ['kind', ({ kind }) => kind],
  ['at', ({ at }) => timestampOf(at)],
  ['day', ({ day }) => day],
  ['bookingId', ({ bookingId }) => bookingId],
  ['venueId', ({ venueId }) => venueId],
  ['venue', ({ venueName }) => venueName],
  ['amountPence', ({ amountPence }) => amountPence],
  ['currency', ({ currency }) => currency],
  ['provider', ({ provider }) => provider],
  ['reference', ({ reference }) => reference],
  ['account', ({ account }) => account],
  ['paymentId', ({ paymentId }) => paymentId],
  ['refundId', ({ refundId }) => refundId],
];

const COLUMNS: readonly Column<ExportedRow>[] = [
  ['bookingId', ({ id }) => id],
  ['venueId', ({ venueId }) => venueId],
  ['venue', ({ venueName }) => venueName],
  ['productId', ({ productId }) => productId],
  ['product', ({ productName }) => productName],
  ['date', ({ date }) => date],
  ['time', ({ minute }) => clockTime(minute)],
  ['start', ({ timeZone, startsAt }) => dateTimeOf(timeZone, startsAt.epochMilliseconds)],
  ['durationMinutes', ({ durationMinutes }) => durationMinutes],
  ['status', ({ status }) => status],
  ['type', ({ type }) => type],
  ['visit', ({ visitState }) => visitState],
  ['partySize', ({ adults }) => adults],
  ['children', ({ children }) => children],
  ['partner', ({ partnerName }) => partnerName],
  ['origin', ({ origin }) => origin],
  ['source', ({ source }) => source],
  ['partnerBookingId', ({ partnerBookingId }) => partnerBookingId],
  ['reference', ({ operatorBookingId }) => operatorBookingId],
  ['area', ({ areaName }) => areaName],
  ['tables', ({ tables }) => tables.join(' ')],
  ['depositPence', ({ depositPence }) => depositPence],
  ['paidPence', ({ paidPence }) => paidPence],
  ['refundedPence', ({ refundedPence }) => refundedPence],
  ['actualGuests', ({ actualGuests }) => actualGuests],
  ['actualSpendPence', ({ actualSpendPence }) => actualSpendPence],
  ['createdAt', ({ createdAt }) => timestampOf(createdAt)],
  ['lastUpdate', ({ lastUpdate }) => timestampOf(lastUpdate)],
];

function guestColumns({ openGuest }: ReportsDeps['bookings']): Column<ExportedRow>[] {
  const opened = new WeakMap<ExportedRow, ReturnType<typeof openGuest>>();
  const guestOf = (row: ExportedRow) =>
    opened.getOrInsertComputed(row, ({ id, guest }) => openGuest(id, guest));
  return [
    ['firstName', (row) => guestOf(row)?.firstName ?? null],
    ['lastName', (row) => guestOf(row)?.lastName ?? null],
    ['email', (row) => guestOf(row)?.email ?? null],
    ['phone', (row) => guestOf(row)?.phone ?? null],
    ['company', (row) => guestOf(row)?.company ?? null],
    ['notes', (row) => guestOf(row)?.comments ?? null],
  ];
}
