import { html } from 'htm/preact';
import type { HistoryEntry } from '../../../../features/bookings/operator/history-schema.ts';
import { api } from '../../app/api.ts';
import { ago, momentOf } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { Loading } from '../notice.ts';
import { Changes } from './history-changes.ts';

const actionText = (action: string) => (t.booking.actions as Record<string, string>)[action] ?? action;

export interface HistoryProps {
  address: string;
  currency: string;
  timeZone: string | undefined;
  /** Read again when it changes. */
  lastUpdate: string;
}

/** Who did what and when, the latest first. */
export function History({ address, currency, timeZone, lastUpdate }: HistoryProps) {
  const loaded = useLoad(
    () => api.get<{ data: HistoryEntry[] }>(`${address}/history`),
    [address, lastUpdate],
  );
  return html`
    <${Loading} loaded=${loaded}>
      ${({ data }: { data: HistoryEntry[] }) => html`
        ${data.length === 0 && html`<p class="small quiet">${t.booking.noHistory}</p>`}
        <ol class="history">
          ${data.toReversed().map(
            ({ at, by, action, changes }, index) => html`
              <li key=${`${at} ${index}`}>
                <p>
                  <strong>${actionText(action)}</strong>
                  <span class="small quiet"> ${by.kind === 'system' ? t.booking.byItself : by.name}</span>
                </p>
                <p class="small quiet"><time datetime=${at} title=${ago(at)}>${momentOf(at, timeZone)}</time></p>
                ${changes.length > 0 && html`<${Changes} changes=${changes} currency=${currency} />`}
              </li>
            `,
          )}
        </ol>
      `}
    <//>
  `;
}
