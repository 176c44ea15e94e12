/** The evening: who comes next, who is late, what is free, what needs a look. */
import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { addDays, eveningIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useParts } from '../../app/later.ts';
import { venue } from '../../app/places.ts';
import type { PageProps } from '../../app/router.ts';
import { address, setQuery } from '../../app/router.ts';
import { operatorOf } from '../../app/session.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { DayPicker } from '../../components/day-picker.ts';
import { Icon } from '../../components/icon.ts';
import { Empty, Problem } from '../../components/notice.ts';
import { createActions } from './actions.ts';
import { Arrivals } from './arrivals.ts';
import { AttentionList } from './attention.ts';
import { attentionOf, clockAt, type Diary, type DiaryBooking, spanOf } from './evening.ts';
import { heldOn } from './holds.ts';
import { KeptList } from './kept-list.ts';
import { openEvening } from './live.ts';
import { useOpenEnquiries } from './open-enquiries.ts';
import {
  BlockDialog,
  BookingDrawer,
  Floor,
  HoldDialog,
  NewBlockDialog,
  NewBooking,
  PARTS,
  WalkIn,
} from './parts.ts';
import { onlyProduct, ProductFilter } from './product-filter.ts';
import { Summary } from './summary.ts';
import type { Selection } from './timeline/drag.ts';
import { useBookingKeys } from './timeline/keys.ts';
import { Timeline } from './timeline/timeline.ts';
import { useHolds, useWaitlist } from './use-kept.ts';

const VIEWS = ['timeline', 'floor', 'list'] as const;
type View = (typeof VIEWS)[number];
const PHONE_PX = 600;

const isView = (text: string | null): text is View => VIEWS.includes(text as View);

type Open =
  | { kind: 'new'; time?: string; tableId?: number }
  | { kind: 'walk-in' }
  | { kind: 'select'; selection: Selection }
  | { kind: 'block' | 'hold'; id: string };

const tableNames = ({ areas }: Diary, ids: readonly number[]) =>
  areas
    .flatMap(({ tables }) => tables)
    .flatMap(({ id, name }) => (ids.includes(id) ? name : []))
    .join(' + ');

export default function Tonight({ params }: PageProps) {
  const venueId = params.venueId ?? '';
  const { query } = address.value;
  const timeZone = venue.value?.timeZone;
  const today = eveningIn(timeZone);
  const date = query.get('date') ?? today;
  const view = isView(query.get('view'))
    ? (query.get('view') as View)
    : innerWidth < PHONE_PX
      ? 'list'
      : 'timeline';
  const bookingId = query.get('booking');
  const [open, setOpen] = useState<Open>();

  const evening = useMemo(() => openEvening(venueId, date), [venueId, date]);
  useEffect(() => () => evening.close(), [evening]);
  const enquiries = useOpenEnquiries(venueId, date);
  const holds = useHolds(venueId, evening.now.value);
  const waitlist = useWaitlist(venueId, date, evening.now.value);
  const actions = useMemo(() => createActions(evening), [evening]);
  const whole = evening.diary.value;
  const product = query.get('product');
  const diary = useMemo(() => whole && onlyProduct(whole, product), [whole, product]);
  const nowMs = evening.now.value;
  const currency = venue.value?.currency ?? 'GBP';

  const openBooking = (booking: Pick<DiaryBooking, 'id'>) =>
    setQuery({ booking: booking.id }, { replace: false });
  const goTo = (day: string) =>
    setQuery({ date: day === today ? null : day, booking: null }, { replace: false });
  useShortcuts(
    [
      { key: 'n', label: t.tonight.newBooking, run: () => setOpen({ kind: 'new' }) },
      { key: 'w', label: t.tonight.walkIn, run: () => setOpen({ kind: 'walk-in' }) },
      { key: 't', label: t.tonight.today, run: () => goTo(today) },
      { key: '[', label: t.tonight.dayBefore, run: () => goTo(addDays(date, -1)) },
      { key: ']', label: t.tonight.dayAfter, run: () => goTo(addDays(date, 1)) },
    ],
    [date, today],
  );
  useBookingKeys(evening, actions);
  useParts(PARTS, evening.diary.value !== undefined);

  const close = () => setOpen(undefined);
  const onCell = ({ tableId, atMs }: { tableId: number; atMs: number }) =>
    diary && setOpen({ kind: 'new', tableId, time: clockAt(atMs, diary.timeZone) });
  const block = open?.kind === 'block' ? diary?.blocks.find(({ id }) => id === open.id) : undefined;
  const held = diary ? heldOn(holds.data?.data ?? [], diary, nowMs) : [];
  const hold = open?.kind === 'hold' ? held.find(({ id }) => id === open.id) : undefined;
  const onHold = (id: string) => setOpen({ kind: 'hold', id });
  const span = diary && spanOf(diary, nowMs);
  const hasTables = (diary?.areas.length ?? 0) > 0;
  return html`
    <div class="tonight">
      <header class="tonight-head">
        <h1 class="visually-hidden">${t.pages.tonight}</h1>
        <${DayPicker} date=${date} today=${today} onChoose=${goTo} />
        <${ProductFilter} diary=${whole} chosen=${product} onChoose=${(id: string | null) => setQuery({ product: id })} />
        <div class="segments" role="group" aria-label=${t.tonight.view}>
          ${VIEWS.map(
            (one) => html`
              <button type="button" key=${one} class="button" title=${t.tonight.views[one]} aria-label=${t.tonight.views[one]} aria-pressed=${view === one} onClick=${() => setQuery({ view: one })}>
                <${Icon} name=${one === 'timeline' ? 'tonight' : one} /> <span>${t.tonight.views[one]}</span>
              </button>
            `,
          )}
        </div>
        <div class="row tonight-actions">
          <button type="button" class="button" onClick=${() => setOpen({ kind: 'walk-in' })}><${Icon} name="walk" /> ${t.tonight.walkIn}</button>
          <button type="button" class="button primary" onClick=${() => setOpen({ kind: 'new' })}><${Icon} name="plus" /> ${t.tonight.newBooking}</button>
        </div>
      </header>
      <${Problem} problem=${evening.problem.value} />
      ${!diary && !evening.problem.value && html`<div class="placeholder" aria-busy="true"></div>`}
      ${
        diary &&
        span &&
        html`
          <${Summary} diary=${diary} span=${span} nowMs=${nowMs} />
          <div class="tonight-body">
            <div class="tonight-view">
              ${
                view === 'list' || !hasTables
                  ? diary.bookings.length === 0
                    ? html`<${Empty} title=${t.tonight.quiet} text=${t.tonight.quietText} />`
                    : html`<${Arrivals} bookings=${diary.bookings} nowMs=${nowMs} currency=${currency} timeZone=${diary.timeZone} onOpen=${openBooking} onVisit=${actions.visit} />`
                  : view === 'floor'
                    ? html`<${Floor} diary=${diary} holds=${held} span=${span} nowMs=${nowMs} onOpen=${openBooking} onCell=${onCell} onSeat=${actions.seatAt} />`
                    : html`<${Timeline}
                        venueId=${venueId}
                        diary=${diary}
                        holds=${held}
                        span=${span}
                        nowMs=${nowMs}
                        flashes=${evening.flashes.value}
                        currency=${currency}
                        onMove=${actions.move}
                        onSelect=${(selection: Selection) => setOpen({ kind: 'select', selection })}
                        onCell=${onCell}
                        onOpen=${openBooking}
                        onBlock=${(id: string) => setOpen({ kind: 'block', id })}
                        onHold=${onHold}
                      />`
              }
            </div>
            <${AttentionList} items=${attentionOf(diary, nowMs)} enquiries=${enquiries} nowMs=${nowMs} onOpen=${openBooking}>
              <${KeptList} venueId=${venueId} date=${date} timeZone=${diary.timeZone} holds=${held} waitlist=${waitlist} nowMs=${nowMs} onHold=${onHold} />
            <//>
          </div>
        `
      }
      ${
        open?.kind === 'new' &&
        html`<${NewBooking} venueId=${venueId} date=${date} time=${open.time} tableId=${open.tableId}
          tables=${diary?.areas.flatMap(({ tables }) => tables) ?? []} onClose=${close} />`
      }
      ${open?.kind === 'walk-in' && html`<${WalkIn} venueId=${venueId} date=${today} onClose=${close} />`}
      ${
        open?.kind === 'select' &&
        diary &&
        html`<${NewBlockDialog} venueId=${venueId} timeZone=${diary.timeZone} selection=${open.selection} onClose=${close} />`
      }
      ${block && diary && html`<${BlockDialog} venueId=${venueId} block=${block} timeZone=${diary.timeZone} onClose=${close} />`}
      ${
        hold &&
        diary &&
        html`<${HoldDialog}
          venueId=${venueId}
          held=${hold}
          tables=${tableNames(diary, hold.tableIds)}
          timeZone=${diary.timeZone}
          onReleased=${holds.reload}
          onClose=${close}
        />`
      }
      ${
        bookingId &&
        html`<${BookingDrawer}
          operatorId=${operatorOf(venueId)}
          bookingId=${bookingId}
          currency=${currency}
          timeZone=${diary?.timeZone}
          version=${[...(diary?.bookings ?? []), ...(diary?.enquiries ?? [])].find(({ id }) => id === bookingId)?.lastUpdate}
          onOpen=${(id: string) => openBooking({ id })}
          onClose=${() => setQuery({ booking: null })}
        />`
      }
    </div>
  `;
}
