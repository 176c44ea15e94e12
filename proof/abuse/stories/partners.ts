/** What partners do: holds, the waiting list, reservations over OCTO, and their developers' own work. */
import { guestOf } from '../markers.ts';
import { signUp } from '../victims.ts';
import { callerNamed, inDays, type Teller, tell } from './tell.ts';

export async function partnerStories(teller: Teller): Promise<void> {
  await aPlaceIsHeld(teller);
  await aGuestWaits(teller);
  await aResellerBooks(teller);
  await aDeveloperWorks(teller);
}

const dinnerOf = ({ victim }: Teller) => `${victim.operatorId}|house|soho-grill|dinner`;

async function aPlaceIsHeld(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const partner = callerNamed(teller, 'demo-partner');
  const staff = callerNamed(teller, 'staff of a victim');
  const ids = { compositeId: dinnerOf(teller) };
  const { comments: _, ...guest } = guestOf('A', victim.operatorId);
  for (const end of ['book', 'release', 'operator']) {
    const stay = { partySize: 2, date: inDays(100 + chances.below(20)), time: '18:30' };
    const name = 'POST /venues/{compositeId}/holds';
    const made = await tell(teller, { name, ids, as: partner, body: { ...stay, ttlSeconds: 120 } });
    if (!made) continue;
    const hold = { holdId: made.id };
    await tell(teller, { name: 'GET /venues/holds/{holdId}', ids: hold, as: partner });
    await tell(teller, { name: 'POST /venues/holds/{holdId}/extend', ids: hold, as: partner, body: {} });
    if (end === 'release')
      await tell(teller, { name: 'DELETE /venues/holds/{holdId}', ids: hold, as: partner });
    if (end === 'operator') {
      const at = { operatorId: victim.operatorId, ...hold };
      await tell(teller, { name: 'GET /manage/operators/{operatorId}/holds', ids: at, as: staff });
      await tell(teller, {
        name: 'DELETE /manage/operators/{operatorId}/holds/{holdId}',
        ids: at,
        as: staff,
      });
    }
    if (end !== 'book') continue;
    const body = { ...guest, ...stay, type: 'book', ...hold };
    const booked = await tell(teller, { name: 'POST /venues/{compositeId}/booking', ids, as: partner, body });
    if (!booked) continue;
    const change = { ...guest, compositeId: ids.compositeId, type: 'book', partySize: 3 };
    await tell(teller, {
      name: 'PUT /venues/bookings/{bookingId}',
      ids: { bookingId: booked.id },
      as: partner,
      body: { ...change, dateTime: `${stay.date}T18:30:00Z` },
    });
  }
}

async function aGuestWaits(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const partner = callerNamed(teller, 'demo-partner');
  const { comments: _, ...guest } = guestOf('A', victim.operatorId);
  const party = { date: inDays(120 + chances.below(20)), from: '19:00', to: '21:00', partySize: 2 };
  const ids = { compositeId: dinnerOf(teller) };
  const name = 'POST /venues/{compositeId}/waitlist';
  const made = await tell(teller, { name, ids, as: partner, body: { ...party, ...guest } });
  if (!made) return;
  const entry = { entryId: made.id };
  await tell(teller, { name: 'GET /venues/waitlist/{entryId}', ids: entry, as: partner });
  await tell(teller, { name: 'DELETE /venues/waitlist/{entryId}', ids: entry, as: partner });
}

async function aResellerBooks(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const as = callerNamed(teller, 'demo-partner');
  const product = { productId: dinnerOf(teller), optionId: 'DEFAULT' };
  await tell(teller, { name: 'GET /octo/products/{id}', ids: { id: product.productId }, as });
  const day = inDays(40 + chances.below(20));
  const days = { localDateStart: day, localDateEnd: day, units: [{ id: 'guest', quantity: 2 }] };
  const found = await tell(teller, { name: 'POST /octo/availability', as, body: { ...product, ...days } });
  const start = found?.find(({ available }: { available: boolean }) => available);
  if (!start) return;
  const body = {
    ...product,
    availabilityId: start.id,
    unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }],
  };
  const made = await tell(teller, { name: 'POST /octo/bookings', as, body });
  if (!made) return;
  const ids = { uuid: made.uuid };
  await tell(teller, { name: 'GET /octo/bookings/{uuid}', ids, as });
  await tell(teller, { name: 'POST /octo/bookings/{uuid}/extend', ids, as, body: { expirationMinutes: 20 } });
  const { firstName, lastName, email: emailAddress } = guestOf('A', victim.operatorId);
  const contact = { firstName, lastName, emailAddress };
  await tell(teller, { name: 'POST /octo/bookings/{uuid}/confirm', ids, as, body: { contact } });
  const more = { unitItems: [{ unitId: 'guest' }, { unitId: 'guest' }, { unitId: 'guest' }] };
  await tell(teller, { name: 'PATCH /octo/bookings/{uuid}', ids, as, body: more });
  await tell(teller, { name: 'POST /octo/bookings/{uuid}/cancel', ids, as, body: { reason: 'Ill' } });
}

async function aDeveloperWorks(teller: Teller): Promise<void> {
  const { victim, chances, context } = teller;
  const as = callerNamed(teller, 'developer of a victim');
  const { partnerId } = victim;
  const path = '/manage/partners/{partnerId}';
  const [clientId = ''] = context.known.in(`/manage/partners/${partnerId}/clients`);
  const client = { partnerId, clientId };
  await tell(teller, { name: `GET ${path}/clients`, ids: client, as });
  const mandate = { maxPartySize: 8, confirmAbove: { partySize: 6 } };
  await tell(teller, { name: `PUT ${path}/clients/{clientId}/mandate`, ids: client, as, body: mandate });
  await tell(teller, { name: `GET ${path}/clients/{clientId}/mandate`, ids: client, as });
  await tell(teller, { name: `DELETE ${path}/clients/{clientId}/mandate`, ids: client, as });
  const secret = await tell(teller, {
    name: `POST ${path}/clients/{clientId}/secrets`,
    ids: client,
    as,
    body: {},
  });
  const secretId = secret?.id;
  if (secretId)
    await tell(teller, {
      name: `DELETE ${path}/clients/{clientId}/secrets/{secretId}`,
      ids: { ...client, secretId },
      as,
    });
  const email = `${chances.word()}@partners.example`;
  const invite = { email, role: 'developer' };
  const invited = await tell(teller, { name: `POST ${path}/invites`, ids: { partnerId }, as, body: invite });
  if (invited) {
    const ids = { partnerId, inviteId: invited.id };
    await tell(teller, { name: `GET ${path}/invites/{inviteId}`, ids, as });
    await tell(teller, { name: `DELETE ${path}/invites/{inviteId}`, ids, as });
  }
  const users = await tell(teller, { name: `GET ${path}/users`, ids: { partnerId }, as });
  const [user] = users?.data ?? [];
  if (user)
    await tell(teller, { name: `GET ${path}/users/{userId}`, ids: { partnerId, userId: user.id }, as });
  await aDeveloperLeaves(teller);
}

async function aDeveloperLeaves(teller: Teller): Promise<void> {
  const { victim, chances, context } = teller;
  const { partnerId } = victim;
  const email = `${chances.word()}@partners.example`;
  await signUp(context, email, { partnerId });
  const path = 'GET /manage/partners/{partnerId}/users';
  const users = await tell(teller, { name: path, ids: { partnerId } });
  const left = users?.data?.find((user: { email: string }) => user.email === email);
  const name = 'DELETE /manage/partners/{partnerId}/users/{userId}';
  if (left) await tell(teller, { name, ids: { partnerId, userId: left.id } });
}
