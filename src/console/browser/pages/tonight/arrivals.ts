/** Arrivals by time in large rows: the view for phones. */
import { html } from 'htm/preact';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Icon } from '../../components/icon.ts';
import { type DiaryBooking, guestsOf, isOver, shownState } from './evening.ts';
import { nameOf } from './timeline/booking-block.ts';

interface ArrivalsProps {
  bookings: readonly DiaryBooking[];
  nowMs: number;
  currency: string;
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
  onOpen,
  onVisit,
}: Omit<ArrivalsProps, 'bookings'> & { booking: DiaryBooking }) {
  const state = shownState(booking, nowMs);
  const next = NEXT[booking.visit.state];
  const tables = booking.tables.map(({ name }) => name).join(' + ');
  const paid = booking.money.paidPence + booking.money.depositPence;
  return html`
    <li class=${`arrival ${state}`}>
      <button type="button" class="arrival-who" onClick=${() => onOpen(booking)}>
        <time>${booking.time}</time>
        <span class="arrival-name"><strong>${nameOf(booking)}</strong> <span>${t.common.people(guestsOf(booking))}</span></span>
        <span class="arrival-facts">
          <span class=${`tag ${state}`}>${t.tonight.states[state]}</span>
          <span>${tables === '' ? t.tonight.noTable : tables}</span>
          ${paid > 0 && html`<span>${money(paid, currency)}</span>`}
          ${booking.notes && html`<span class="arrival-notes"><${Icon} name="note" size=${16} /> ${booking.notes}</span>`}
        </span>
      </button>
      ${next && html`<button type="button" class="button" onClick=${() => onVisit(booking, next)}>${t.tonight.verbs[next]}</button>`}
    </li>
  `;
}

export function Arrivals(props: ArrivalsProps) {
  const { bookings, ...rest } = props;
  const [coming, over] = [bookings.filter((one) => !isOver(one)), bookings.filter(isOver)];
  const list = (items: readonly DiaryBooking[]) => html`
    <ul class="arrivals">${items.map((booking) => html`<${Row} key=${booking.id} booking=${booking} ...${rest} />`)}</ul>
  `;
  return html`
    <div class="arrivals-view">
      ${list(coming)}
      ${over.length > 0 && html`<h2 class="quiet">${t.tonight.over(over.length)}</h2>${list(over)}`}
    </div>
  `;
}
