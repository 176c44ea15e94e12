import { html } from 'htm/preact';
import type { ManagedRule } from '../../../../features/availability/operator-rules/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import { address, setQuery } from '../../app/router.ts';
import { Dialog } from '../../components/dialog.ts';
import { Icon } from '../../components/icon.ts';
import { Loading } from '../../components/notice.ts';
import { BlocksPanel } from './blocks-panel.ts';
import { MarketplacePanel } from './marketplace-panel.ts';
import { RuleForm } from './rule-form.ts';
import { RuleItem } from './rule-item.ts';
import { readChoices, type SaleChoices } from './sale-choices.ts';

export interface SaleTabProps {
  venueId: string;
  isManager: boolean;
}

interface Read {
  rules: readonly ManagedRule[];
  choices: SaleChoices;
}

/** What is taken out of sale, for whom, and where the venue is sold. */
export function SaleTab({ venueId, isManager }: SaleTabProps) {
  const all = path`/manage/venues/${venueId}/availability-rules`;
  const loaded = useLoad<Read>(async () => {
    const [rules, choices] = await Promise.all([api.get<{ data: ManagedRule[] }>(all), readChoices(venueId)]);
    return { rules: rules.data, choices };
  }, [venueId]);
  const chosen = address.value.query.get('rule');
  const open = (rule: string | null) => setQuery({ rule }, { replace: false });
  return html`
    <${Loading} loaded=${loaded}>
      ${({ rules, choices }: Read) => {
        const rule = rules.find(({ id }) => id === chosen);
        return html`
          <section class="panel">
            <header>
              <h2>${t.calendar.rules}</h2>
              ${isManager && html`<button type="button" class="button primary" onClick=${() => open('new')}><${Icon} name="plus" /> ${t.calendar.addRule}</button>`}
            </header>
            <p class="quiet">${t.calendar.rulesText}</p>
            ${rules.length === 0 && html`<p>${t.calendar.noRules}</p>`}
            <ul class="sale-list">
              ${rules.map(
                (one) => html`<${RuleItem}
                  key=${one.id}
                  venueId=${venueId}
                  rule=${one}
                  choices=${choices}
                  isManager=${isManager}
                  onOpen=${() => open(one.id)}
                  onChanged=${loaded.reload}
                />`,
              )}
            </ul>
          </section>
          <${MarketplacePanel} venueId=${venueId} isManager=${isManager} choices=${choices} />
          <${BlocksPanel} venueId=${venueId} />
          ${
            isManager &&
            (rule || chosen === 'new') &&
            html`<${Dialog} kind="drawer" title=${rule ? t.calendar.editRule : t.calendar.addRule} onClose=${() => open(null)}>
              <${RuleForm}
                key=${rule?.id}
                venueId=${venueId}
                rule=${rule}
                choices=${choices}
                onDone=${async () => {
                  await loaded.reload();
                  open(null);
                }}
              />
            <//>`
          }
        `;
      }}
    <//>
  `;
}
