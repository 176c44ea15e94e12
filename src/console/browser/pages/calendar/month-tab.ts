import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';
import type { Closure } from '../../../../features/closures/schema.ts';
import type { CoversReport } from '../../../../features/reports/schema.ts';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { monthOf, todayIn } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { type Page, useLoad } from '../../app/load.ts';
import { venue } from '../../app/places.ts';
import { address, setQuery } from '../../app/router.ts';
import { operatorOf } from '../../app/session.ts';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Icon } from '../../components/icon.ts';
import { Problem } from '../../components/notice.ts';
import { DayPanel } from './day-panel.ts';
import { addMonths, isDay, isMonth, weeksOf } from './month.ts';
import { MonthGrid } from './month-grid.ts';

export interface MonthTabProps {
  venueId: string;
  isManager: boolean;
  hours: VenueHours;
  etag: string | null;
  onHours: () => Promise<void>;
}

interface Read {
  closures: readonly Closure[];
  covers: ReadonlyMap<string, number>;
}

const MOST_CLOSURES = 100;
const POLL_MS = 1_500;

export function MonthTab({ venueId, isManager, hours, etag, onHours }: MonthTabProps) {
  const today = todayIn(venue.value?.timeZone);
  const { query } = address.value;
  const asked = query.get('day');
  const day = isDay(asked) ? asked : undefined;
  const wanted = query.get('month');
  const month = isMonth(wanted) ? wanted : (day ?? today).slice(0, 7);
  const days = weeksOf(month).flat();
  const range = { from: days[0] ?? '', to: days.at(-1) ?? '' };
  const loaded = useLoad<Read>(async () => {
    const [closures, report] = await Promise.all([
      api.get<Page<Closure>>(path`/manage/venues/${venueId}/closures`, { ...range, pageSize: MOST_CLOSURES }),
      // Reports are for managers; staff see the month without figures.
      isManager &&
        api.get<CoversReport>(path`/manage/operators/${operatorOf(venueId)}/reports/covers`, {
          ...range,
          by: 'day',
          venueId,
        }),
    ]);
    return {
      closures: closures.data,
      covers: new Map((report ? report.rows : []).map(({ key, covers }) => [key, covers])),
    };
  }, [venueId, month]);
  const isRunning = loaded.data?.closures.some(({ state }) => state === 'running') ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => loaded.reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  const show = (next: string) => setQuery({ month: next, day: null }, { replace: false });
  useShortcuts(
    [
      { key: 'ArrowLeft', label: t.calendar.previousMonth, run: () => show(addMonths(month, -1)) },
      { key: 'ArrowRight', label: t.calendar.nextMonth, run: () => show(addMonths(month, 1)) },
    ],
    [month],
  );
  return html`
    <div class="row">
      <button type="button" class="button icon-only" aria-label=${t.calendar.previousMonth} onClick=${() => show(addMonths(month, -1))}>
        <${Icon} name="left" />
      </button>
      <h2 class="month-name" aria-live="polite">${monthOf(`${month}-01`)}</h2>
      <button type="button" class="button icon-only" aria-label=${t.calendar.nextMonth} onClick=${() => show(addMonths(month, 1))}>
        <${Icon} name="right" />
      </button>
      <button type="button" class="button" onClick=${() => show(today.slice(0, 7))}>${t.calendar.thisMonth}</button>
    </div>
    <${Problem} problem=${loaded.problem} />
    <${MonthGrid}
      month=${month}
      today=${today}
      chosen=${day}
      hours=${hours}
      closures=${loaded.data?.closures ?? []}
      covers=${loaded.data?.covers ?? new Map()}
      hasCovers=${isManager}
    />
    ${
      day &&
      html`<${DayPanel}
        key=${day}
        venueId=${venueId}
        day=${day}
        isManager=${isManager}
        isPast=${day < today}
        isToday=${day === today}
        hours=${hours}
        etag=${etag}
        closures=${loaded.data?.closures ?? []}
        covers=${loaded.data?.covers.get(day)}
        onHours=${onHours}
        onClosures=${loaded.reload}
        onClose=${() => setQuery({ day: null }, { replace: false })}
      />`
    }
  `;
}
