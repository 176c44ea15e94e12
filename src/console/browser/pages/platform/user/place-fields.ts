import { html } from 'htm/preact';
import { t } from '../../../app/language.ts';
import { operators, partners } from '../../../app/places.ts';
import { SelectField } from '../../../components/field.ts';
import { OPERATOR_ROLES, type OperatorRole, type Place, type PlaceKind } from './place.ts';

interface Props {
  kinds: readonly PlaceKind[];
  place: Place;
  onChange: (changes: Partial<Place>) => void;
}

export const firstPlace = (): Place => ({
  kind: 'operator',
  operatorId: String(operators.value[0]?.id ?? ''),
  partnerId: String(partners.value[0]?.id ?? ''),
  role: 'owner',
});

const choicesOf = (places: readonly { id: number; name: string }[]) =>
  places.map(({ id, name }) => ({ value: String(id), label: name }));

/** Where, and as what. */
export const PlaceFields = ({ kinds, place, onChange }: Props) => html`
  <${SelectField}
    label=${t.users.where}
    value=${place.kind}
    choices=${kinds.map((value) => ({ value, label: t.users.places[value] }))}
    onChange=${(kind: PlaceKind) => onChange({ kind })}
  />
  ${
    place.kind === 'operator' &&
    html`
      <${SelectField}
        label=${t.frame.operator}
        value=${place.operatorId}
        choices=${choicesOf(operators.value)}
        onChange=${(operatorId: string) => onChange({ operatorId })}
      />
      <${SelectField}
        label=${t.people.role}
        hint=${t.people.roleTexts[place.role]}
        value=${place.role}
        choices=${OPERATOR_ROLES.map((value) => ({ value, label: t.common.roles[value] }))}
        onChange=${(role: OperatorRole) => onChange({ role })}
      />
    `
  }
  ${
    place.kind === 'partner' &&
    html`<${SelectField}
      label=${t.frame.partner}
      value=${place.partnerId}
      choices=${choicesOf(partners.value)}
      onChange=${(partnerId: string) => onChange({ partnerId })}
    />`
  }
`;
