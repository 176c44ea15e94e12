/** The evening in one line, and covers by quarter of an hour. */
import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { clockAt, type Diary, quartersOf, type Span, totalsOf } from './evening.ts';

interface SummaryProps {
  diary: Diary;
  span: Span;
  nowMs: number;
}

export function Summary({ diary, span, nowMs }: SummaryProps) {
  const totals = totalsOf(diary.bookings, nowMs);
  return html`
    <div class="summary">
      <ul class="summary-facts">
        <li><strong>${t.tonight.covers(totals.covers)}</strong></li>
        <li>${t.tonight.parties(totals.parties)}</li>
        <li>${t.tonight.seatedGuests(totals.seated)}</li>
        ${totals.late > 0 && html`<li class="tag late">${t.tonight.lateParties(totals.late)}</li>`}
        ${totals.unpaid > 0 && html`<li class="tag unpaid">${t.tonight.unpaidParties(totals.unpaid)}</li>`}
        ${diary.enquiries.length > 0 && html`<li class="tag enquiry">${t.tonight.enquiries(diary.enquiries.length)}</li>`}
        ${diary.closures.length > 0 && html`<li class="tag bad">${t.tonight.closed(diary.closures[0]?.reason ?? '')}</li>`}
      </ul>
      <${Covers} diary=${diary} span=${span} nowMs=${nowMs} />
    </div>
  `;
}

const BAR = 7;
const HEIGHT = 40;

/** Bars for guests who are there; the darker part has just come. */
function Covers({ diary, span, nowMs }: SummaryProps) {
  const quarters = quartersOf(diary.bookings, span);
  const peak = quarters.reduce((best, quarter) => (quarter.present > best.present ? quarter : best), {
    atMs: span.fromMs,
    present: 0,
    starting: 0,
  });
  if (peak.present === 0) return null;
  const limits = new Map(diary.quarters.map(({ at, maxStarting }) => [Date.parse(at), maxStarting]));
  const scale = (HEIGHT - 4) / peak.present;
  const label = t.tonight.peak(peak.present, clockAt(peak.atMs, diary.timeZone));
  return html`
    <figure class="covers">
      <svg width=${quarters.length * BAR} height=${HEIGHT} role="img" aria-label=${label}>
        ${quarters.map(({ atMs, present, starting }, index) => {
          const most = limits.get(atMs) ?? null;
          const clock = clockAt(atMs, diary.timeZone);
          const isNow = nowMs >= atMs && nowMs < atMs + 15 * 60_000;
          return html`
            <g key=${atMs} class=${isNow ? 'is-now' : ''}>
              <title>${most === null ? t.tonight.quarter(clock, present, starting) : t.tonight.quarterOf(clock, present, starting, most)}</title>
              <rect class="hit" x=${index * BAR} y="0" width=${BAR} height=${HEIGHT} />
              <rect class="present" x=${index * BAR} y=${HEIGHT - present * scale} width=${BAR - 2} height=${present * scale} />
              <rect class=${most !== null && starting >= most ? 'starting is-full' : 'starting'} x=${index * BAR} y=${HEIGHT - starting * scale} width=${BAR - 2} height=${starting * scale} />
            </g>
          `;
        })}
      </svg>
      <figcaption>${label}</figcaption>
    </figure>
  `;
}
