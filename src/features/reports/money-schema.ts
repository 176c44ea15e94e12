import { type Static, Type } from 'typebox';
import { moment } from '../../http/validation/manage-fields.ts';
import { named, nullable, oneOf, text } from '../../http/validation/schema-helpers.ts';

const day = (description: string) => Type.String({ format: 'date', description });
const sum = (description: string) => Type.Integer({ description });

export const MoneyQuery = Type.Object({
  from: day('The first day on which money moved, where the venue is'),
  to: day('The last day, included; at most 366 days'),
});

const figures = {
  currency: Type.String(),
  takenPence: sum('Taken from guests'),
  refundedPence: sum('Given back'),
  correctedPence: sum('Corrections that follow the books of the provider; negative: money went back'),
  netPence: sum('Taken, less what was given back, with corrections'),
};

const MoneySums = Type.Object(figures, named('MoneySums', 'Money of one currency'));
const MoneyGroup = Type.Object(
  {
    key: text('The day, the id of the venue, or the provider'),
    name: text('What people call it'),
    ...figures,
  },
  named('MoneyGroup', 'Money of one currency under one key'),
);

const PaymentDifference = Type.Object(
  {
    kind: oneOf(['not_there', 'not_here', 'amount'] as const, {
      description:
        '`not_there`: the provider has no such movement; `not_here`: it could not be booked here; `amount`: the sums differ',
    }),
    reference: text("The provider's name for the movement"),
    paymentId: nullable(Type.String({ format: 'uuid' })),
    ledgerPence: nullable(sum('What the ledger has')),
    providerPence: nullable(sum('What the provider has')),
    currency: Type.String(),
    foundAt: moment('When it was found'),
  },
  named('PaymentDifference', 'Where the ledger and the books of the provider differ'),
);

export const MoneyReport = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    totals: Type.Array(MoneySums),
    days: Type.Array(MoneyGroup),
    venues: Type.Array(MoneyGroup),
    providers: Type.Array(MoneyGroup),
    open: Type.Object(
      {
        refundsOwed: sum('Refunds that are not paid out yet'),
        refundsOwedPence: sum('Their sum'),
        paymentsInDoubt: sum('Payments that are not over yet'),
        paymentsInDoubtPence: sum('Their sum'),
      },
      { description: 'As it is now, whatever the period' },
    ),
    declared: Type.Object(
      { bookings: sum('Bookings with such a deposit'), depositPence: sum('Their sum') },
      {
        description: 'Deposits that partners say they have taken, for visits in the period; not in the sums',
      },
    ),
    differences: Type.Array(PaymentDifference, { description: 'As of the last comparison; 100 at most' }),
  },
  named('MoneyReport', 'Money that moved, and what is open'),
);
export type MoneyReport = Static<typeof MoneyReport>;

const sums = {
  currency: 'GBP',
  takenPence: 26_000,
  refundedPence: 6500,
  correctedPence: 0,
  netPence: 19_500,
};

export const moneyExample: MoneyReport = {
  from: '2026-11-01',
  to: '2026-11-30',
  totals: [sums],
  days: [{ key: '2026-11-15', name: '2026-11-15', ...sums }],
  venues: [{ key: '1|house|soho-grill', name: 'Soho Grill', ...sums }],
  providers: [{ key: 'stripe', name: 'stripe', ...sums }],
  open: { refundsOwed: 0, refundsOwedPence: 0, paymentsInDoubt: 1, paymentsInDoubtPence: 4800 },
  declared: { bookings: 3, depositPence: 9000 },
  differences: [],
};

export const ledgerExample =
  'id,kind,at,day,bookingId,venueId,venue,amountPence,currency,provider,reference,account,paymentId,refundId\r\n';
