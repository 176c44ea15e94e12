import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Mandate } from '../../../../features/mandates/schema.ts';
import { act } from '../../app/act.ts';
import { api, type Tagged } from '../../app/api.ts';
import { useForm } from '../../app/form.ts';
import { money } from '../../app/format.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { say } from '../../app/toasts.ts';
import { MoneyField, NumberField } from '../amount-field.ts';
import { Confirm, Dialog } from '../dialog.ts';
import { FormFoot } from '../edit-dialog.ts';
import { TextArea } from '../field.ts';
import { Loading } from '../notice.ts';

type Found = Tagged<Mandate> | null;

interface Props {
  /** Such as `/manage/clients/acme/mandate`. */
  at: string;
  /** Whether there is one to be read. */
  hasMandate: boolean;
  onChanged: () => unknown;
}

/** What a client may do at most. */
export function MandateSection({ at, hasMandate, onChanged }: Props) {
  const loaded = useLoad(
    async (): Promise<Found> => (hasMandate ? api.getTagged<Mandate>(at) : null),
    [at, hasMandate],
  );
  const [opened, setOpened] = useState<'edit' | 'remove'>();
  const close = () => setOpened(undefined);
  const saved = async () => {
    await loaded.reload();
    onChanged();
  };
  const remove = async (found: NonNullable<Found>) => {
    close();
    await act(() => api.remove(at, { ifMatch: found.etag }), t.mandates.removed);
    onChanged();
  };
  return html`
    <${Loading} loaded=${loaded}>
      ${(found: Found) => html`
        <section class="form">
          <div class="row">
            <h3>${t.mandates.title}</h3>
            <button type="button" class="button small" onClick=${() => setOpened('edit')}>
              ${found ? t.mandates.change : t.mandates.give}
            </button>
            ${
              found &&
              html`<button type="button" class="button small danger" onClick=${() => setOpened('remove')}>
                ${t.mandates.remove}
              </button>`
            }
          </div>
          ${found ? html`<${Limits} mandate=${found.data} />` : html`<p class="quiet">${t.mandates.none}</p>`}
          ${
            opened === 'edit' &&
            html`<${Dialog} title=${t.mandates.title} onClose=${close}>
              <${MandateForm} at=${at} found=${found} onClose=${close} onSaved=${saved} />
            <//>`
          }
          ${
            opened === 'remove' &&
            found &&
            html`<${Confirm}
              title=${t.mandates.remove}
              text=${t.mandates.removeText}
              action=${t.mandates.remove}
              onConfirm=${() => remove(found)}
              onClose=${close}
            />`
          }
        </section>
      `}
    <//>
  `;
}

/** Each limit as a sentence. */
function sentencesOf(mandate: Mandate): string[] {
  const { maxPartySize, maxDepositPence, maxOpenBookings, maxBookingsPerDay, maxDaysAhead } = mandate;
  const { venueIds, cities, confirmAbove } = mandate;
  return [
    maxPartySize != null && t.mandates.partySizeIs(maxPartySize),
    maxDepositPence != null && t.mandates.depositIs(money(maxDepositPence)),
    maxOpenBookings != null && t.mandates.openIs(maxOpenBookings),
    maxBookingsPerDay != null && t.mandates.perDayIs(maxBookingsPerDay),
    maxDaysAhead != null && t.mandates.daysAheadIs(maxDaysAhead),
    venueIds != null && t.mandates.venuesAre(venueIds.join(', ')),
    cities != null && t.mandates.citiesAre(cities.join(', ')),
    confirmAbove?.partySize != null && t.mandates.confirmPartyIs(confirmAbove.partySize),
    confirmAbove?.depositPence != null && t.mandates.confirmDepositIs(money(confirmAbove.depositPence)),
  ].filter((sentence) => sentence !== false);
}

function Limits({ mandate }: { mandate: Mandate }) {
  const sentences = sentencesOf(mandate);
  if (sentences.length === 0) return html`<p class="quiet">${t.mandates.empty}</p>`;
  return html`<ul class="plain-list">${sentences.map((sentence) => html`<li class="break" key=${sentence}>${sentence}</li>`)}</ul>`;
}

interface FormProps {
  at: string;
  found: Found;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function MandateForm({ at, found, onClose, onSaved }: FormProps) {
  const { venueIds, cities, confirmAbove, ...limits } = found?.data ?? {};
  const start = {
    ...limits,
    venues: venueIds?.join('\n') ?? '',
    cities: cities?.join('\n') ?? '',
    confirmPartySize: confirmAbove?.partySize ?? null,
    confirmDepositPence: confirmAbove?.depositPence ?? null,
  };
  const form = useForm(
    start,
    async ({ venues, cities: named, confirmPartySize, confirmDepositPence, ...rest }) => {
      const [venueLines, cityLines] = [linesOf(venues), linesOf(named)];
      const isConfirmed = confirmPartySize !== null || confirmDepositPence !== null;
      const body = {
        ...rest,
        venueIds: venueLines.length > 0 ? venueLines : null,
        cities: cityLines.length > 0 ? cityLines : null,
        confirmAbove: isConfirmed ? { partySize: confirmPartySize, depositPence: confirmDepositPence } : null,
      };
      await api.put(at, body, { ifMatch: found?.etag ?? null });
      say(t.common.saved);
      onClose();
      await onSaved();
    },
  );
  const { values, set, errorsOf } = form;
  const listErrors = (name: string) =>
    Object.entries(form.problem?.errors ?? {}).flatMap(([path, errors]) =>
      path === name || path.startsWith(`${name}.`) ? errors : [],
    );
  return html`
    <form class="form" onSubmit=${form.submit}>
      <p class="quiet">${t.mandates.about}</p>
      <${NumberField} label=${t.mandates.maxPartySize} min="1" value=${values.maxPartySize} errors=${errorsOf('maxPartySize')}
        onInput=${(maxPartySize: number | null) => set({ maxPartySize })} />
      <${MoneyField} label=${t.mandates.maxDeposit} value=${values.maxDepositPence} errors=${errorsOf('maxDepositPence')}
        onInput=${(maxDepositPence: number | null) => set({ maxDepositPence })} />
      <${NumberField} label=${t.mandates.maxOpen} min="0" value=${values.maxOpenBookings} errors=${errorsOf('maxOpenBookings')}
        onInput=${(maxOpenBookings: number | null) => set({ maxOpenBookings })} />
      <${NumberField} label=${t.mandates.maxPerDay} min="0" value=${values.maxBookingsPerDay} errors=${errorsOf('maxBookingsPerDay')}
        onInput=${(maxBookingsPerDay: number | null) => set({ maxBookingsPerDay })} />
      <${NumberField} label=${t.mandates.maxDaysAhead} min="0" value=${values.maxDaysAhead} errors=${errorsOf('maxDaysAhead')}
        onInput=${(maxDaysAhead: number | null) => set({ maxDaysAhead })} />
      <${TextArea} label=${t.mandates.cities} hint=${t.mandates.onePerLine} value=${values.cities} errors=${listErrors('cities')}
        onInput=${(cities: string) => set({ cities })} />
      <${TextArea} label=${t.mandates.venues} hint=${t.mandates.onePerLine} value=${values.venues} errors=${listErrors('venueIds')}
        onInput=${(venues: string) => set({ venues })} />
      <h3>${t.mandates.confirm}</h3>
      <${NumberField} label=${t.mandates.confirmParty} min="1" value=${values.confirmPartySize} errors=${errorsOf('confirmAbove.partySize')}
        onInput=${(confirmPartySize: number | null) => set({ confirmPartySize })} />
      <${MoneyField} label=${t.mandates.confirmDeposit} value=${values.confirmDepositPence} errors=${errorsOf('confirmAbove.depositPence')}
        onInput=${(confirmDepositPence: number | null) => set({ confirmDepositPence })} />
      <${FormFoot} form=${form} onClose=${onClose} />
    </form>
  `;
}
