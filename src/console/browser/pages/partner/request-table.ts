import { html } from 'htm/preact';
import type { LoggedRequest } from '../../../../features/request-log/schema.ts';
import { shortDate, todayIn } from '../../app/format.ts';
import { locale, t } from '../../app/language.ts';
import { setQuery } from '../../app/router.ts';
import { type Tone, ToneTag } from '../../components/tone-tag.ts';

const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** With seconds: several calls of a minute are told apart. */
function momentText(at: string): string {
  const when = new Date(at);
  const day = todayIn(undefined, when);
  return day === todayIn() ? clock.format(when) : `${shortDate(day)} ${clock.format(when)}`;
}

/** Tools of agents refuse with a code in an answer with 200. */
const toneOf = ({ status, code }: LoggedRequest): Tone => {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 || code !== null ? 'warn' : 'good';
};

const only = (changes: Record<string, string>) => setQuery({ ...changes, cursor: null }, { replace: false });

/** One call to a row; a click on a code, status or correlation id narrows the list to it. */
export const RequestTable = ({ requests }: { requests: readonly LoggedRequest[] }) => html`
  <div class="table-wrap" tabindex="0" role="region" aria-label=${t.pages.requests}>
    <table class="requests">
      <thead>
        <tr>
          <th>${t.requests.at}</th>
          <th>${t.requests.filters.status}</th>
          <th>${t.requests.call}</th>
          <th class="number">${t.requests.duration}</th>
          <th>${t.frame.venue}</th>
          <th>${t.requests.filters.clientId}</th>
          <th>${t.requests.filters.correlationId}</th>
        </tr>
      </thead>
      <tbody>
        ${requests.map(
          (request) => html`
            <tr key=${request.id}>
              <td class="nowrap">${momentText(request.at)}</td>
              <td><${Answer} request=${request} /></td>
              <td><code><strong>${request.method}</strong> ${request.route}</code></td>
              <td class="number nowrap">${t.health.ms(request.durationMs)}</td>
              <td class="break">${request.venueId}</td>
              <td class="break">${request.clientId}</td>
              <td class="nowrap">
                ${
                  request.correlationId !== null &&
                  html`<button
                    type="button"
                    class="link"
                    title=${t.requests.onlyThis}
                    onClick=${() => only({ correlationId: request.correlationId ?? '' })}
                  >
                    <code>${request.correlationId}</code>
                  </button>`
                }
              </td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  </div>
`;

const Answer = ({ request }: { request: LoggedRequest }) => {
  const { status, code } = request;
  return html`
    <${ToneTag} tone=${toneOf(request)} text=${status === null ? t.requests.disconnected : String(status)} />
    ${code !== null && html` <a class="code nowrap" href=${`/problems/${code}`} target="_blank">${code}</a>`}
  `;
};
