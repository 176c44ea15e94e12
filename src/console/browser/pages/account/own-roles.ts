import { html } from 'htm/preact';
import { t } from '../../app/language.ts';
import { operators } from '../../app/places.ts';
import { isPlatform, partnerRoles, user } from '../../app/session.ts';

interface Shown {
  key: string;
  place: string;
  name: string;
  text: string;
}

function rolesOf(): Shown[] {
  const ofOperators = (user.value?.roles ?? []).map(({ operatorId, role }) => ({
    key: `operator ${operatorId}`,
    place: operators.value.find(({ id }) => id === operatorId)?.name ?? `${t.frame.operator} ${operatorId}`,
    name: t.common.roles[role],
    text: t.ownAccount.roleTexts[role],
  }));
  const ofPartners = partnerRoles.value.map(({ partnerId, name }) => ({
    key: `partner ${partnerId}`,
    place: name,
    name: t.common.roles.developer,
    text: t.ownAccount.roleTexts.developer,
  }));
  const ofPlatform = {
    key: 'platform',
    place: 'Maitred',
    name: t.ownAccount.platform,
    text: t.ownAccount.roleTexts.platform,
  };
  return [...(isPlatform.value ? [ofPlatform] : []), ...ofOperators, ...ofPartners];
}

/** Where the person works, and what the role there is for. */
export const OwnRoles = () => html`
  <ul class="own-roles">
    ${rolesOf().map(
      ({ key, place, name, text }) => html`
        <li key=${key}>
          <p><strong>${place}</strong> <span class="tag">${name}</span></p>
          <p class="small quiet">${text}</p>
        </li>
      `,
    )}
  </ul>
`;
