import { html } from 'htm/preact';
import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';
import { money } from '../../../app/format.ts';
import { t } from '../../../app/language.ts';
import { Icon } from '../../../components/icon.ts';
import { clockAt, type DiaryBooking, guestsOf, type ShownState } from '../evening.ts';

export interface BlockProps {
  booking: DiaryBooking;
  state: ShownState | 'enquiry';
  left: number;
  top: number;
  width: number;
  height: number;
  /** The person who has just changed it. */
  flash: string | undefined;
  currency: string;
  timeZone: string;
  /** Whether the party before it is still at the table. */
  isBlockedBySitting: boolean;
}

export const nameOf = ({ guest, origin }: DiaryBooking) =>
  guest?.lastName ?? guest?.firstName ?? (origin === 'walk_in' ? t.tonight.walkIn : t.common.noName);

const STATE_ICONS = {
  expected: undefined,
  arrived: 'walk',
  seated: 'check',
  left: 'out',
  no_show: 'close',
  late: 'clock',
  unpaid: 'money',
  enquiry: 'enquiry',
} as const;

/** What is to be paid, and until when the place is kept for it. */
export const dueText = (
  { amount, currency, until }: NonNullable<DiaryBooking['paymentDue']>,
  timeZone: string,
) => t.tonight.dueUntil(money(amount, currency), clockAt(Date.parse(until), timeZone));

/** What the host must know before the party sits down. */
function marksOf(booking: DiaryBooking, currency: string, timeZone: string): string[] {
  const { notes, money: paid, partner, paymentDue } = booking;
  const prepaid = paid.paidPence + paid.depositPence;
  return [
    ...(paymentDue ? [dueText(paymentDue, timeZone)] : []),
    ...(notes ? [notes] : []),
    ...(prepaid > 0 ? [money(prepaid, currency)] : []),
    ...(partner ? [partner.name] : []),
  ];
}

/** All of it in a sentence: for those who cannot see the block, and as its tooltip. */
function describe({ booking, state, currency, timeZone }: BlockProps): string {
  const tables = booking.tables.map(({ name }) => name).join(' + ');
  return [
    t.tonight.blockTitle(nameOf(booking), guestsOf(booking), booking.time),
    t.tonight.states[state],
    tables === '' ? t.tonight.noTable : t.tonight.atTable(tables),
    ...marksOf(booking, currency, timeZone),
  ].join(', ');
}

export const BookingBlock = memo((props: BlockProps) => {
  const { booking, state, left, top, width, height, flash, currency, timeZone, isBlockedBySitting } = props;
  const icon = STATE_ICONS[state];
  const title = describe(props);
  return html`
    <button
      type="button"
      class=${`tl-block ${state}${flash === undefined ? '' : ' is-flashed'}`}
      data-id=${booking.id}
      style=${{ left: `${left + 1}px`, top: `${top + 3}px`, width: `${width - 3}px`, height: `${height - 6}px` }}
      title=${title}
      aria-label=${title}
    >
      ${icon && html`<${Icon} name=${icon} size=${16} />`}
      ${isBlockedBySitting && html`<${Icon} name="warning" size=${16} />`}
      <strong>${nameOf(booking)}</strong> <span>${guestsOf(booking)}</span>
      <span class="tl-marks">${marksOf(booking, currency, timeZone).join(' · ')}</span>
      ${flash !== undefined && flash !== '' && html`<em>${flash}</em>`}
      <span class="tl-resize" data-resize></span>
    </button>
  `;
});

/** Draws again only when one of the properties is another: three hundred bookings stay as they are while one moves. */
function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as P;
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== before[name]);
    }
    override render(): ComponentChild {
      return render(this.props as P);
    }
  }
  return ((props: P) => h(Memo as never, props)) as FunctionComponent<P>;
}
