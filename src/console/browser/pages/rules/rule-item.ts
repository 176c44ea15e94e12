import { html } from 'htm/preact';
import type { ManagedRule } from '../../../../features/booking-rules/manage/schema.ts';
import { path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { venues } from '../../app/places.ts';
import { DragHandle } from '../../components/drag-handle.ts';
import { CheckField } from '../../components/field.ts';
import { Icon } from '../../components/icon.ts';

export interface RuleItemProps {
  rule: ManagedRule;
  index: number;
  count: number;
  mayChange: boolean;
  operatorId: string;
  onSwitch: (isActive: boolean) => void;
  onMove: (from: number, to: number) => void;
  onDrop: () => void;
  onRetire: () => void;
}

/** A rule is its sentence, with a switch. */
export const RuleItem = (props: RuleItemProps) => {
  const { rule, index, count, mayChange, operatorId } = props;
  return html`
    <li class=${rule.isActive ? 'rule' : 'rule is-off'} data-place=${index}>
      ${
        mayChange &&
        html`<${DragHandle} name=${rule.name} index=${index} count=${count} onMove=${props.onMove} onDrop=${props.onDrop} />`
      }
      <div class="rule-text">
        <h2>${rule.name}</h2>
        <p>${rule.summary ?? html`<span class="tag bad">${t.rules.broken}</span>`}</p>
        <p class="small quiet">${whereOf(rule)}</p>
      </div>
      <div class="row">
        ${
          mayChange
            ? html`
                <${CheckField}
                  kind="switch"
                  label=${rule.isActive ? t.rules.on : t.rules.off}
                  isOn=${rule.isActive}
                  onChange=${props.onSwitch}
                />
                <a
                  class="button quiet icon-only"
                  href=${`${path`/console/operators/${operatorId}/rules`}?rule=${rule.id}`}
                  aria-label=${t.rules.editOf(rule.name)}
                >
                  <${Icon} name="edit" />
                </a>
                <button
                  type="button"
                  class="button quiet icon-only"
                  aria-label=${t.rules.retireOf(rule.name)}
                  onClick=${props.onRetire}
                >
                  <${Icon} name="trash" />
                </button>
              `
            : html`<span class=${rule.isActive ? 'tag good' : 'tag'}>${rule.isActive ? t.rules.on : t.rules.off}</span>`
        }
      </div>
    </li>
  `;
};

/** Where it holds and for whom, in a line. */
function whereOf({ venueIds, partnerIds, categoryIds }: ManagedRule): string {
  const names = venueIds?.map((id) => venues.value.find((venue) => venue.id === id)?.name ?? id);
  const audience = (partnerIds?.length ?? 0) + (categoryIds?.length ?? 0);
  const isForAll = partnerIds === null && categoryIds === null;
  return [
    names ? names.join(', ') : t.rules.allVenues,
    isForAll ? t.rules.allPartners : t.rules.somePartners(audience),
  ].join(' · ');
}
