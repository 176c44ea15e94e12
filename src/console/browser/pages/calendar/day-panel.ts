import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Closure } from '../../../../features/closures/schema.ts';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { path } from '../../app/api.ts';
import { longDate } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { ClosureDialog } from './closure-dialog.ts';
import { ClosureItem } from './closure-item.ts';
import { ExceptionForm } from './exception-form.ts';
import { closureOn, exceptionOn, periodsOn } from './month.ts';

export interface DayPanelProps {
  venueId: string;
  day: string;
  isManager: boolean;
  isPast: boolean;
  isToday: boolean;
  hours: VenueHours;
  etag: string | null;
  closures: readonly Closure[];
  covers: number | undefined;
  onHours: () => Promise<void>;
  onClosures: () => Promise<void>;
  onClose: () => void;
}

/** One day: hours, exceptions, closures, and the way to its diary. */
export function DayPanel(props: DayPanelProps) {
  const { venueId, day, isManager, isPast, isToday, hours, etag, closures, covers } = props;
  const [isClosing, setClosing] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const exception = exceptionOn(hours, day);
  const periods = periodsOn(hours, day);
  const own = closures.filter((closure) => closureOn(closure, day));
  const hoursText =
    periods.length === 0
      ? t.calendar.closed
      : periods.map(({ opens, closes }) => t.calendar.period(opens, closes)).join(', ');
  if (isClosing) {
    const done = async () => {
      setClosing(false);
      await props.onClosures();
    };
    return html`<${ClosureDialog} venueId=${venueId} day=${day} isToday=${isToday} onDone=${done} onClose=${() => setClosing(false)} />`;
  }
  return html`
    <${Dialog} kind="drawer" title=${longDate(day)} onClose=${props.onClose}>
      <p class="row">
        ${covers !== undefined && html`<span class="tag">${t.calendar.coversOf(covers)}</span>`}
        <a class="button" href=${`${path`/console/venues/${venueId}/tonight`}?date=${day}`}><${Icon} name="tonight" /> ${t.calendar.openDiary}</a>
      </p>
      <section class="panel">
        <header>
          <h3>${t.calendar.hours}</h3>
          ${
            isManager &&
            !isEditing &&
            html`<button type="button" class="button small" onClick=${() => setEditing(true)}>${exception ? t.common.edit : t.calendar.changeThisDay}</button>`
          }
        </header>
        ${
          isEditing
            ? html`<${ExceptionForm}
                venueId=${venueId}
                day=${day}
                hours=${hours}
                etag=${etag}
                onDone=${async () => {
                  await props.onHours();
                  setEditing(false);
                }}
                onCancel=${() => setEditing(false)}
              />`
            : html`
                <p><strong>${hoursText}</strong></p>
                <p class="quiet small">${exception ? t.calendar.isException(exception.reason ?? '') : t.calendar.isWeekly}</p>
              `
        }
      </section>
      <section class="panel">
        <h3>${t.calendar.closures}</h3>
        ${own.length === 0 && html`<p class="quiet">${t.calendar.noClosures}</p>`}
        ${own.map(
          (closure) =>
            html`<${ClosureItem} key=${closure.id} venueId=${venueId} closure=${closure} isManager=${isManager} onChanged=${props.onClosures} />`,
        )}
        ${
          isManager &&
          !isPast &&
          html`<button type="button" class="button danger" onClick=${() => setClosing(true)}>
            <${Icon} name="lock" /> ${isToday ? t.calendar.closeTonight : t.calendar.closeDay}
          </button>`
        }
      </section>
    <//>
  `;
}
