/**
 * How long anything waits for anything else, in milliseconds. A wait inside another one is shorter than it, so that the
 * inner one ends first and says why; `test/kernel/deadlines.test.ts` holds the order. `docs/operating.md` lists all of
 * them with what happens then. How long leases last, and how often something is looked at, stands where it is used.
 */
export const DEADLINES = {
  // Requests.
  /** Slow senders; the request itself begins when it has arrived. */
  requestArrival: 60_000,
  request: 10_000,
  /** Several bookings, at several systems. */
  order: 30_000,
  /** A test posts to a receiver, which has `webhook` for its answer. */
  webhookTest: 20_000,
  /** Thousands of venues, in either direction. */
  transfer: 120_000,
  /** A file of bookings is sent while it is read. */
  export: 600_000,
  /** What is left for the answer itself after the last thing that was waited for. */
  answer: 500,
  /** Bytes that a peer does not read are memory. */
  stalledReader: 15_000,
  /** Each check of readiness, and each part of the health of the platform. */
  healthCheck: 2000,

  // PostgreSQL.
  statement: 9000,
  lock: 8000,
  /** A batch of bookings that waits for one busy venue would hold up the others. */
  batchLock: 200,
  /**
   * A transaction that waits to make or drop a partition keeps all writers of its table waiting. Shorter than PostgreSQL
   * takes to look for deadlocks: statements lock several such tables in different orders, and none of them is to fail.
   */
  partitionLock: 500,
  /** For the same reason; while a migration waits for a lock, so do the callers of older nodes. */
  migrationLock: 500,
  /** Longer than most backups and reports, which keep a migration from its locks. */
  migrationLocks: 300_000,
  /** For tools and feeds, which no request waits for. */
  toolLock: 20_000,
  feedStatement: 120_000,
  jobStatement: 60_000,
  /** A node whose machine vanishes leaves its transactions open, with locks that others wait for. */
  idleTransaction: 15_000,
  databaseConnect: 10_000,
  /** The answer to a probe; then the database counts as silent. */
  databaseAnswer: 2000,
  /** The same while it is silent; each attempt leaves a connection that the server finds closed when it wakes up. */
  databaseReturn: 10_000,
  /** A server that is busy cancels a statement a little late. */
  cancelledStatement: 2000,
  /** Until the driver reports a lost connection to everyone who used it. */
  brokenConnection: 1000,
  /** Longer than most lag of a standby, and short against a read. */
  standbyReplay: 35,
  listenConnect: 5000,

  // Systems of venues.
  remoteCall: 8000,
  remoteRead: 2000,
  remoteWrite: 8000,
  remoteToken: 5000,
  /** Retries of a page included; no guest waits for it. */
  cataloguePage: 60_000,
  dial: 10_000,
  /** For each of several addresses of a name but the last. */
  dialAddress: 1000,
  dns: 2000,

  // Other services.
  webhook: 10_000,
  payment: 8000,
  mailConnect: 10_000,
  mailSilence: 30_000,
  bucketConnect: 5000,
  bucketAnswer: 30_000,
  redisConnect: 1000,
  /** Longer than Redis takes when it is well, and short enough to be no part of a call when it is not. */
  redisAnswer: 100,
  /** A caller waits for it, and gets an answer anyway. */
  searchEmbedding: 400,
  venueEmbeddings: 30_000,
  /** Nothing waits for it but the spans of the next moments. */
  traceExport: 5000,

  // Others that work on the same thing.
  /** Longer than a lease of an intent: its holder is done by then, or loses it. */
  sameBooking: 22_000,
  /** Longer than a lease of an order: its holder is done by then, renews it, or loses it. */
  sameOrder: 25_000,
  sameIdempotencyKey: 20_000,
  sameReservation: 8000,
  /** Longer than a transaction that writes bookings: it has ended by then, or was ended by the database. */
  closingVenue: 20_000,
  ruleTrial: 10_000,

  // Background work, and the end.
  job: 300_000,
  /** Longer than whatever a run may wait for when its time is up. */
  jobEnd: 60_000,
  /** From when the port closes; the parts follow each other. */
  stop: 62_000,
  stopRequests: 30_000,
  stopJobs: 20_000,
  stopRequestLog: 3000,
  /** Of all databases at once. */
  stopPool: 5000,
  stopTracing: 3000,
  embeddedStart: 300_000,
  embeddedStop: 60_000,
  embeddedAnswer: 60_000,
  dataDirectory: 120_000,
} as const;
