import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { toggled } from '../../../app/order.ts';
import { LengthField, NumberField } from '../../../components/amount-field.ts';
import type { House } from '../draft.ts';
import { Chips } from './chips.ts';
import type { SectionFieldsProps } from './section-props.ts';
import { TurnTimes } from './turn-times.ts';

/** How many guests, how long they stay, and where they sit. */
export function SeatingFields({ draft, set, errorsOf, context }: SectionFieldsProps) {
  const { house } = draft;
  if (!house) return null;
  const put = (part: Partial<House>) => set({ house: { ...house, ...part } });
  const duration = (part: Partial<House['duration']>) => put({ duration: { ...house.duration, ...part } });
  return html`
    <div class="columns">
      <${NumberField} label=${t.products.minGuests} hint=${t.products.fromLayout} min="1" value=${house.minGuests} errors=${errorsOf('house.minGuests')} onInput=${(minGuests: number | null) => put({ minGuests })} />
      <${NumberField} label=${t.products.maxGuests} hint=${t.products.fromLayout} min="1" value=${house.maxGuests} errors=${errorsOf('house.maxGuests')} onInput=${(maxGuests: number | null) => put({ maxGuests })} />
    </div>
    <${TurnTimes} turnTimes=${house.turnTimes} errors=${errorsOf('house.turnTimes')} onChange=${(turnTimes: House['turnTimes']) => put({ turnTimes })} />
    <div class="columns thirds">
      <${LengthField} label=${t.products.minStay} value=${house.duration.minMinutes} errors=${errorsOf('house.duration.minMinutes')} onInput=${(minutes: number) => duration({ minMinutes: minutes })} />
      <${LengthField} label=${t.products.maxStay} value=${house.duration.maxMinutes} errors=${errorsOf('house.duration.maxMinutes')} onInput=${(minutes: number) => duration({ maxMinutes: minutes })} />
      <${LengthField} label=${t.products.stepStay} value=${house.duration.stepMinutes} errors=${errorsOf('house.duration.stepMinutes')} onInput=${(minutes: number) => duration({ stepMinutes: minutes })} />
    </div>
    <p class="field-about">${t.products.stayHint}</p>
    ${
      context.zones.length > 0 &&
      draft.spaceIds.length === 0 &&
      html`
        <${Chips}
          label=${t.products.zones}
          hint=${t.products.zonesHint}
          choices=${context.zones.map(({ id, name }) => ({ value: id, label: name }))}
          chosen=${house.zoneIds ?? []}
          onToggle=${(id: number) => {
            const zoneIds = toggled(house.zoneIds ?? [], id);
            put({ zoneIds: zoneIds.length > 0 ? zoneIds : null });
          }}
        />
      `
    }
    ${
      context.spaces.length > 0 &&
      html`
        <${Chips}
          label=${t.products.spaces}
          hint=${t.products.spacesHint}
          choices=${context.spaces.map(({ id, name }) => ({ value: id, label: name }))}
          chosen=${draft.spaceIds}
          errors=${errorsOf('spaceIds')}
          onToggle=${(id: number) => set({ spaceIds: toggled(draft.spaceIds, id) })}
        />
      `
    }
    <${NumberField} label=${t.products.pacing} hint=${t.products.pacingHint} min="1" value=${house.coversPerStart} errors=${errorsOf('house.coversPerStart')} onInput=${(coversPerStart: number | null) => put({ coversPerStart })} />
  `;
}
