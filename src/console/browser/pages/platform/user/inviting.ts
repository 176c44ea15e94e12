import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import type { Invite } from '../../../../../features/accounts/schema.ts';
import { t } from '../../../app/language.ts';
import { operators, partners } from '../../../app/places.ts';
import { InviteForm } from '../../../components/people/invite-form.ts';
import { Invites } from '../../../components/people/invites.ts';
import { inviteOf, PLACES, type Place } from './place.ts';
import { firstPlace, PlaceFields } from './place-fields.ts';

const AT = '/manage/invites';

function placeOf({ isPlatform, operatorId, partnerId, role }: Invite): string {
  if (isPlatform || role === null) return t.frame.platform;
  const places = operatorId === null ? partners.value : operators.value;
  const name = places.find(({ id }) => id === (operatorId ?? partnerId))?.name ?? '';
  return t.users.roleAt(t.common.roles[role], name);
}

const bodyOf = ({ email, operatorId, partnerId, role, isPlatform }: Invite) => ({
  email,
  operatorId,
  partnerId,
  role,
  isPlatform,
});

/** Invites to anywhere, with where they lead. */
export function Inviting() {
  const [place, setPlace] = useState(firstPlace);
  const [sent, setSent] = useState(0);
  return html`
    <div class="columns">
      <${InviteForm} at=${AT} bodyOf=${(email: string) => inviteOf(email, place)} onSent=${() => setSent(sent + 1)}>
        <${PlaceFields}
          kinds=${PLACES}
          place=${place}
          onChange=${(changes: Partial<Place>) => setPlace({ ...place, ...changes })}
        />
      <//>
      <${Invites} at=${AT} bodyOf=${bodyOf} textOf=${placeOf} sent=${sent} />
    </div>
  `;
}
