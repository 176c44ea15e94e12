import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { ManagedVenue } from '../../../../features/venues/manage/venue-schema.ts';
import { api, path } from '../../app/api.ts';
import { dataName } from '../../app/data-name.ts';
import { useFocusFirst } from '../../app/focus.ts';
import { useForm } from '../../app/form.ts';
import { locale, t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { loadVenues, venues } from '../../app/places.ts';
import { go } from '../../app/router.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../components/dialog.ts';
import { SelectField, TextField } from '../../components/field.ts';
import { Loading, Problem } from '../../components/notice.ts';
import { VenueFields } from '../../components/venue/venue-fields.ts';
import { bodyOfVenue, type VenueValues } from '../../components/venue/venue-values.ts';

interface SystemChoice {
  tms: string;
  capability: string | null;
}
interface Read {
  systems: SystemChoice[];
  types: { slug: string; name: string }[];
}

export interface NewVenueProps {
  operatorId: number;
  onClose: () => void;
}

/** A new venue; its layout is drawn next. */
export function NewVenue({ operatorId, onClose }: NewVenueProps) {
  const operator = path`/manage/operators/${operatorId}`;
  const loaded = useLoad<Read>(async () => {
    const [systems, vocabulary] = await Promise.all([
      api.get<{ data: SystemChoice[] }>(`${operator}/systems`),
      api.get<{ venueTypes: Read['types'] }>(`${operator}/vocabulary`),
    ]);
    return { systems: systems.data, types: vocabulary.venueTypes };
  }, [operatorId]);
  return html`
    <${Dialog} kind="wide" title=${t.venues.add} onClose=${onClose}>
      <${Loading} loaded=${loaded}>
        ${({ systems, types }: Read) => html`<${NewVenueForm} operatorId=${operatorId} systems=${systems} types=${types} />`}
      <//>
    <//>
  `;
}

type Values = VenueValues & { tms: string };

function NewVenueForm({ operatorId, systems, types }: Read & { operatorId: number }) {
  // A neighbour of the same operator is most often in the same zone and country.
  const neighbour = venues.value.find(({ closedAt }) => closedAt === null);
  /** Until it is typed, the key follows the name. */
  const [ownKey, setOwnKey] = useState<string>();
  const start: Values = {
    tms: systems.find(({ tms }) => tms === 'house')?.tms ?? systems[0]?.tms ?? '',
    name: '',
    timeZone: neighbour?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    phoneNumber: '',
    website: '',
    types: ['restaurant'].filter((slug) => types.some((type) => type.slug === slug)),
    hostVenueId: '',
    summary: '',
    description: '',
    highlights: '',
    address: '',
    area: '',
    city: '',
    postcode: '',
    countryCode: new Intl.Locale(locale).region ?? '',
    lat: '',
    lng: '',
  };
  const form = useForm<Values>(start, async ({ tms, ...values }) => {
    const body = { tms, resourceId: ownKey ?? dataName(values.name), ...bodyOfVenue(values) };
    const venue = await api.post<ManagedVenue>(path`/manage/operators/${operatorId}/venues`, body);
    await loadVenues(operatorId, true);
    say(t.venues.added(venue.name));
    const hasLayout = venue.tms === 'house';
    go(
      hasLayout
        ? path`/console/venues/${venue.id}/layout`
        : `${path`/console/operators/${operatorId}/venues`}?steps=${encodeURIComponent(venue.id)}`,
    );
  });
  const { values, errorsOf } = form;
  const first = useFocusFirst<HTMLFormElement>();
  return html`
    <form ref=${first} onSubmit=${form.submit}>
      <${VenueFields} form=${form} types=${types} isShort=${true} />
      <div class="columns">
        <${SelectField}
          label=${t.venues.systemLabel}
          hint=${t.venues.systemHint}
          value=${values.tms}
          errors=${errorsOf('tms')}
          choices=${systems.map(({ tms }) => ({ value: tms, label: t.venues.system(tms) }))}
          onChange=${(tms: string) => form.set({ tms })}
        />
        <${TextField}
          label=${t.venues.key}
          hint=${t.venues.keyHint}
          required
          value=${ownKey ?? dataName(values.name)}
          errors=${errorsOf('resourceId')}
          onInput=${setOwnKey}
        />
      </div>
      <${Problem} problem=${form.problem} />
      <footer class="dialog-foot">
        <button type="submit" class="button primary" disabled=${form.isSending}>${t.venues.addAndDraw}</button>
      </footer>
    </form>
  `;
}
