import { html } from 'htm/preact';
import type { Form } from '../../app/form.ts';
import { t } from '../../app/language.ts';
import { CheckField, TextArea, TextField } from '../field.ts';
import { coordinatesOf, type VenueValues } from './venue-values.ts';

export interface VenueFieldsProps<T extends VenueValues> {
  form: Form<T>;
  types: readonly { slug: string; name: string }[];
  /** What a new venue needs, without what can be said later. */
  isShort?: boolean;
}

type TextName = Exclude<keyof VenueValues, 'types'>;

const TIME_ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');

/** What a venue says of itself. */
export function VenueFields<T extends VenueValues>({ form, types, isShort = false }: VenueFieldsProps<T>) {
  const { values, errorsOf } = form;
  const set = (changes: Partial<VenueValues>) => form.set(changes as Partial<T>);
  const text = (name: TextName, label: string, path: string, more: Record<string, unknown> = {}) => html`
    <${TextField} label=${label} value=${values[name]} errors=${errorsOf(path)} onInput=${(value: string) => set({ [name]: value })} ...${more} />
  `;
  const place = (name: 'lat' | 'lng', label: string) =>
    text(name, label, `location.${name}`, {
      required: true,
      inputmode: 'decimal',
      hint: name === 'lat' ? t.venue.coordinatesHint : undefined,
      // Both at once, as they are copied from a map.
      onInput: (value: string) => set(coordinatesOf(value) ?? { [name]: value }),
    });
  return html`
    <div class="columns">
      ${text('name', t.common.name, 'name', { required: true, maxlength: 200 })}
      ${text('timeZone', t.venue.timeZone, 'timeZone', { required: true, list: 'time-zones' })}
      <datalist id="time-zones">${TIME_ZONES.map((zone) => html`<option key=${zone} value=${zone}></option>`)}</datalist>
      ${!isShort && text('phoneNumber', t.venue.phone, 'phoneNumber', { type: 'tel' })}
      ${!isShort && text('website', t.venue.website, 'website', { type: 'url', placeholder: 'https://' })}
    </div>
    <fieldset class="field-group">
      <legend>${t.venue.location}</legend>
      <div class="columns">
        ${text('address', t.venue.address, 'location.address')} ${text('postcode', t.venue.postcode, 'location.postcode')}
        ${text('area', t.venue.area, 'location.area', { required: true, hint: t.venue.areaHint })}
        ${text('city', t.venue.city, 'location.city', { required: true })}
        ${text('countryCode', t.venue.country, 'location.countryCode', { required: true, maxlength: 2, hint: t.venue.countryHint })}
        ${place('lat', t.venue.lat)} ${place('lng', t.venue.lng)}
      </div>
    </fieldset>
    <fieldset class="field-group">
      <legend>${t.venue.types}</legend>
      <div class=${isShort ? 'type-list is-short' : 'type-list'}>
        ${types.map(
          ({ slug, name }) => html`<${CheckField}
            key=${slug}
            label=${name}
            isOn=${values.types.includes(slug)}
            onChange=${(isOn: boolean) => set({ types: isOn ? [...values.types, slug] : values.types.filter((one) => one !== slug) })}
          />`,
        )}
      </div>
      ${errorsOf('types').length > 0 && html`<p class="small is-refused">${errorsOf('types').join('; ')}</p>`}
    </fieldset>
    <${TextArea} label=${t.venue.summary} hint=${t.venue.summaryHint} maxlength="500" value=${values.summary} errors=${errorsOf('content.summary')} onInput=${(summary: string) => set({ summary })} />
    ${
      !isShort &&
      html`
        <${TextArea} rows="6" label=${t.venue.description} value=${values.description} errors=${errorsOf('content.description')} onInput=${(description: string) => set({ description })} />
        <${TextArea} rows="4" label=${t.venue.highlights} hint=${t.venue.highlightsHint} value=${values.highlights} errors=${errorsOf('content.highlights')} onInput=${(highlights: string) => set({ highlights })} />
      `
    }
  `;
}
