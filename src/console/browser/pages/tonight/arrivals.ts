/** Arrivals by time in large rows: the view for phones. */
import { html } from 'htm/preact';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { awaitsPayment } from '../../components/booking/booking-facts.ts';
import { Icon } from '../../components/icon.ts';
import { type DiaryBooking, guestsOf, isOver, shownState } from './evening.ts';
import { dueText, nameOf } from './timeline/booking-block.ts';

interface ArrivalsProps {
  bookings: readonly DiaryBooking[];
  nowMs: number;
  currency: string;
  timeZone: string;
  onOpen: (booking: DiaryBooking) => void;
  onVisit: (booking: DiaryBooking, state: DiaryBooking['visit']['state']) => void;
}

type State = DiaryBooking['visit']['state'];

/** The next thing that happens to a party, which has the large button. */
const NEXT: Partial<Record<State, State>> = { expected: 'arrived', arrived: 'seated', seated: 'left' };

function Row({
  booking,
  nowMs,
  currency,
  timeZone,
  onOpen,
  onVisit,
}: Omit<ArrivalsProps, 'bookings'> & { booking: DiaryBooking }) {
  const state = shownState(booking, nowMs);
  const next = awaitsPayment(booking) ? undefined : NEXT[booking.visit.state];
  const tables = booking.tables.map(({ name }) => name).join(' + ');
  const paid = booking.money.paidPence + booking.money.depositPence;
  return html`
    <li class=${`arrival ${state}`}>
      <button type="button" class="arrival-who" onClick=${() => onOpen(booking)}>
        <time>${booking.time}</time>
        <span class="arrival-name"><strong>${nameOf(booking)}</strong> <span>${t.common.people(guestsOf(booking))}</span></span>
        <span class="arrival-facts">
          <span class=${`tag ${state}`}>${t.tonight.states[state]}</span>
          ${booking.paymentDue && html`<span>${dueText(booking.paymentDue, timeZone)}</span>`}
          <span>${tables === '' ? t.tonight.noTable : tables}</span>
          ${paid > 0 && html`<span>${money(paid, currency)}</span>`}
          ${booking.notes && html`<span class="arrival-notes"><${Icon} name="note" size=${16} /> ${booking.notes}</span>`}
        </span>
      </button>
      ${next && html`<button type="button" class="button" onClick=${() => onVisit(booking, next)}>${t.tonight.verbs[next]}</button>`}
    </li>
  `;
}

const isComing = ({ visit }: DiaryBooking) => visit.state === 'expected' || visit.state === 'arrived';

/** Who comes next stands first; those at their tables follow, then those who have left. */
export function Arrivals(props: ArrivalsProps) {
  const { bookings, ...rest } = props;
  const groups = [
    { title: t.tonight.coming, list: bookings.filter(isComing) },
    { title: t.tonight.states.seated, list: bookings.filter(({ visit }) => visit.state === 'seated') },
    { title: t.tonight.over, list: bookings.filter(isOver) },
  ];
  return html`
    <div class="arrivals-view">
      ${groups.map(
        ({ title, list }) =>
          list.length > 0 &&
          html`
            <section key=${title}>
              <h2>${title} <span class="quiet">${list.length}</span></h2>
              <ul class="arrivals">
                ${list.map((booking) => html`<${Row} key=${booking.id} booking=${booking} ...${rest} />`)}
              </ul>
            </section>
          `,
      )}
    </div>
  `;
}
