import { html } from 'htm/preact';
import type { PartnerRules } from '../../../../features/booking-rules/schema.ts';
import { api, path } from '../../app/api.ts';
import { t } from '../../app/language.ts';
import { useLoad } from '../../app/load.ts';
import type { PageProps } from '../../app/router.ts';
import { Empty, Loading } from '../../components/notice.ts';

type Rule = PartnerRules['rules'][number];
type Operator = PartnerRules['operators'][number];

/** The rules that concern the partner, as sentences. */
export default function Rules({ params: { partnerId = '' } }: PageProps) {
  const at = path`/manage/partners/${partnerId}/rules`;
  const loaded = useLoad(() => api.get<PartnerRules>(at), [at]);
  return html`
    <div class="page">
      <div class="page-head">
        <h1>${t.pages.rules}</h1>
        <p>${t.partnerRules.about}</p>
      </div>
      <${Loading} loaded=${loaded}>
        ${({ operators, rules }: PartnerRules) =>
          rules.length === 0
            ? html`<${Empty} title=${t.partnerRules.none} text=${t.partnerRules.noneText} />`
            : operators.map((operator) => {
                const own = rules.filter(({ operatorId }) => operatorId === operator.id);
                return (
                  own.length > 0 &&
                  html`
                    <section class="panel" key=${operator.id}>
                      <h2>${operator.name}</h2>
                      <ol class="rule-list">
                        ${own.map((rule) => html`<${Sentence} key=${rule.id} rule=${rule} operator=${operator} />`)}
                      </ol>
                    </section>
                  `
                );
              })}
      <//>
    </div>
  `;
}

/** Where it holds: the venues that it names, or all that the partner distributes. */
function venuesOf({ appliesTo }: Rule, operator: Operator): string {
  if (appliesTo.allVenues) return t.partnerRules.allVenues;
  const named = new Set(appliesTo.venues.map(({ id }) => id));
  return operator.venues
    .filter(({ id }) => named.has(id))
    .map(({ name }) => name)
    .join(', ');
}

const Sentence = ({ rule, operator }: { rule: Rule; operator: Operator }) => html`
  <li>
    <p><strong>${rule.name}</strong></p>
    <p>${rule.summary}</p>
    ${rule.message !== null && html`<p class="small">${t.partnerRules.guestsRead(rule.message)}</p>`}
    <div class="row small">
      <span class="quiet">${venuesOf(rule, operator)}</span>
      ${rule.errorCode && html`<a class="code" href=${`/problems/${rule.errorCode}`} target="_blank">${rule.errorCode}</a>`}
      <code class="quiet break">${rule.id}</code>
    </div>
  </li>
`;
