/** People who are invited, forget their passwords and leave, and a photo that comes in parts. */
import { jpeg } from '../../../test/features/media/pictures.ts';
import { bearer, sessionOf } from '../callers.ts';
import { mailedToken } from '../mailbox.ts';
import { PASSWORDS } from '../planted.ts';
import { signUp } from '../victims.ts';
import { type Teller, tell } from './tell.ts';

export async function peopleStories(teller: Teller): Promise<void> {
  await somebodyComesAndGoes(teller);
  await somebodyForgets(teller);
  await aPhotoIsTaken(teller);
}

async function somebodyComesAndGoes(teller: Teller): Promise<void> {
  const { context, victim, chances } = teller;
  const email = `${chances.word()}-${victim.operatorId}@stories.example`;
  const token = await signUp(context, email, { operatorId: victim.operatorId, role: 'staff' });
  const headers = bearer(token);
  const [currentPassword, newPassword] = PASSWORDS;
  await tell(teller, { name: 'PUT /manage/account', body: { name: 'Somebody Else' }, headers });
  await tell(teller, {
    name: 'PUT /manage/account/password',
    body: { currentPassword, newPassword },
    headers,
  });
  // A new password ends all sessions.
  const renewed = bearer(await sessionOf(context.send, email, newPassword));
  await tell(teller, { name: 'GET /manage/sessions/current', headers: renewed });
  await tell(teller, { name: 'DELETE /manage/sessions/current', headers: renewed });
  const invited = `${chances.word()}-${victim.operatorId}@stories.example`;
  const invitation = { email: invited, operatorId: victim.operatorId, role: 'staff', isPlatform: false };
  await tell(teller, { name: 'POST /manage/invites', body: invitation });
  const accepting = { token: await mailed(teller, invited), name: 'Invited', password: newPassword };
  await tell(teller, { name: 'POST /manage/invites/accept', body: accepting });
  await tell(teller, { name: 'POST /manage/sessions', body: { email: invited, password: newPassword } });
}

async function mailed({ context }: Teller, to: string): Promise<string> {
  const token = (await mailedToken(context.mailbox, to)) ?? '';
  context.planted.note('mailed token', token);
  return token;
}

async function somebodyForgets(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const email = `${chances.word()}-${victim.operatorId}@stories.example`;
  const [, password, another] = PASSWORDS;
  const roles = [{ operatorId: victim.operatorId, role: 'manager' }];
  await tell(teller, { name: 'POST /manage/users', body: { email, name: 'Forgetful', password, roles } });
  await tell(teller, {
    name: 'POST /manage/email-verifications',
    body: { token: await mailed(teller, email) },
  });
  await tell(teller, { name: 'POST /manage/email-verifications/resend', body: { email } });
  const reset = `${chances.word()}-${victim.operatorId}@stories.example`;
  await signUp(teller.context, reset, { operatorId: victim.operatorId, role: 'staff' });
  await tell(teller, { name: 'POST /manage/password-resets', body: { email: reset } });
  const confirming = { token: await resetToken(teller, reset), password: another };
  await tell(teller, { name: 'POST /manage/password-resets/confirm', body: confirming });
}

/** The invitation went to the same address, so this one is the next. */
async function resetToken(teller: Teller, to: string): Promise<string> {
  const first = await mailed(teller, to);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const latest = await mailed(teller, to);
    if (latest !== first) return latest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return first;
}

async function aPhotoIsTaken(teller: Teller): Promise<void> {
  const { context, victim } = teller;
  const [venueId = ''] = context.known.in(`/manage/operators/${victim.operatorId}/venues`);
  const picture = jpeg(64, 48);
  const body = { contentType: 'image/jpeg', sizeBytes: picture.length, caption: 'A table' };
  await tell(teller, { name: 'POST /manage/venues/{venueId}/uploads', ids: { venueId }, body });
  const uploadId = context.known.in(`/manage/venues/${venueId}/uploads`).at(-1) ?? '';
  const part = 'PUT /manage/venues/{venueId}/uploads/{uploadId}/parts/{number}';
  await tell(teller, { name: part, ids: { venueId, uploadId, number: 1 }, bytes: picture });
  const complete = 'POST /manage/venues/{venueId}/uploads/{uploadId}/complete';
  await tell(teller, { name: complete, ids: { venueId, uploadId }, body: {} });
}
