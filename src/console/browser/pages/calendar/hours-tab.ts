import { html } from 'htm/preact';
import type { VenueHours } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { addDays, longDate, todayIn, weekdays } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLeaveGuard } from '../../app/leave-guard.ts';
import { venue } from '../../app/places.ts';
import { guardLeaving } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { TextField } from '../../components/field.ts';
import { Periods } from '../../components/hours/periods.ts';
import { Icon } from '../../components/icon.ts';
import { Problem } from '../../components/notice.ts';
import type { Exception, Period } from './month.ts';
import { type Week, weeklyOf, weekOf } from './week-hours.ts';

export interface HoursTabProps {
  venueId: string;
  isManager: boolean;
  hours: VenueHours;
  etag: string | null;
  onHours: () => Promise<void>;
}

interface Values {
  week: Week;
  exceptions: readonly Exception[];
}

/** The hours of the week, and the dates on which others hold. */
export function HoursTab({ venueId, isManager, hours, etag, onHours }: HoursTabProps) {
  const today = todayIn(venue.value?.timeZone);
  const form = useForm<Values>(
    { week: weekOf(hours.weekly), exceptions: hours.exceptions },
    async ({ week, exceptions }) => {
      const body = { weekly: weeklyOf(week), exceptions: [...exceptions] };
      await api.put(path`/manage/venues/${venueId}/hours`, body, { ifMatch: etag });
      guardLeaving(undefined);
      say(t.common.saved);
      await onHours();
    },
  );
  const { week, exceptions } = form.values;
  useLeaveGuard(form.isChanged);
  const setDay = (day: number, periods: readonly Period[]) =>
    form.set({ week: week.map((old, at) => (at === day ? periods : old)) });
  const setException = (index: number, changes: Partial<Exception>) =>
    form.set({ exceptions: exceptions.map((old, at) => (at === index ? { ...old, ...changes } : old)) });
  const addException = () => {
    let date = addDays(today, 1);
    while (exceptions.some((exception) => exception.date === date)) date = addDays(date, 1);
    form.set({ exceptions: [...exceptions, { date, periods: [], reason: null }] });
  };
  return html`
    <form onSubmit=${form.submit}>
      <section class="panel">
        <h2>${t.calendar.weekly}</h2>
        <p class="quiet small">${t.calendar.weeklyText}</p>
        ${weekdays('long').map(
          (name, day) => html`
            <div key=${day} class="hours-day">
              <h3>${name}</h3>
              <${Periods} name=${name} periods=${week[day] ?? []} isReadOnly=${!isManager} onChange=${(periods: Period[]) => setDay(day, periods)} />
              ${
                isManager &&
                day === 0 &&
                html`<button type="button" class="button quiet small" onClick=${() => form.set({ week: week.map(() => week[0] ?? []) })}>
                  <${Icon} name="copy" size=${16} /> ${t.calendar.everyDay}
                </button>`
              }
            </div>
          `,
        )}
      </section>
      <section class="panel">
        <h2>${t.calendar.exceptions}</h2>
        <p class="quiet small">${t.calendar.exceptionsText}</p>
        ${exceptions.map(
          (exception, index) =>
            (exception.date >= today || form.isChanged) &&
            html`
              <div key=${index} class="hours-day">
                ${
                  isManager
                    ? html`<${TextField} type="date" required label=${t.calendar.date} value=${exception.date} onInput=${(date: string) => setException(index, { date })} />`
                    : html`<h3>${longDate(exception.date)}</h3>`
                }
                <div class="form">
                  <${Periods} name=${exception.date} periods=${exception.periods} isReadOnly=${!isManager} onChange=${(periods: Period[]) => setException(index, { periods })} />
                  ${
                    isManager
                      ? html`<${TextField} label=${t.calendar.why} maxlength="500" value=${exception.reason ?? ''} onInput=${(reason: string) => setException(index, { reason: reason === '' ? null : reason })} />`
                      : html`<p class="small">${exception.reason}</p>`
                  }
                </div>
                ${
                  isManager &&
                  html`<button
                    type="button"
                    class="button quiet icon-only"
                    aria-label=${t.calendar.removeDate(longDate(exception.date))}
                    onClick=${() => form.set({ exceptions: exceptions.filter((_, at) => at !== index) })}
                  >
                    <${Icon} name="trash" size=${16} />
                  </button>`
                }
              </div>
            `,
        )}
        ${isManager && html`<button type="button" class="button" onClick=${addException}><${Icon} name="plus" size=${16} /> ${t.calendar.addDate}</button>`}
      </section>
      <${Problem} problem=${form.problem} onReload=${onHours} />
      ${
        isManager &&
        html`<footer class="dialog-foot">
          <button type="submit" class="button primary" disabled=${form.isSending || !form.isChanged}>${t.common.save}</button>
        </footer>`
      }
    </form>
  `;
}
