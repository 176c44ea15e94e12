/** A booking as a partner makes it, through whatever leads to a node. */
import assert from 'node:assert/strict';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export type Caller = (path: string, sent?: Sent) => Promise<{ status: number; text: string }>;

const PRODUCT = '1|house|soho-grill|dinner';

export async function tokenOf(call: Caller, clientId: string, secret = `${clientId}-secret`) {
  const basic = Buffer.from(`${clientId}:${secret}`).toString('base64');
  const headers = { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = 'grant_type=client_credentials&audience=maitred';
  const { status, text } = await call('/oauth/token', { method: 'POST', headers, body });
  return { status, token: status === 200 ? String(JSON.parse(text).access_token) : '' };
}

/** Asks for a free start in the days to come and books it; the sentence says what was booked. */
export async function bookAsPartner(call: Caller): Promise<string> {
  const { token } = await tokenOf(call, 'demo-partner');
  assert.ok(token, 'no token');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  for (let days = 3; days < 30; days++) {
    const date = new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);
    const draft = { type: 'book', partySize: 2, date, time: '19:30', firstName: 'Ada', lastName: 'Lovelace' };
    const { status, text } = await call(`/venues/${PRODUCT}/booking`, {
      method: 'POST',
      headers,
      body: JSON.stringify(draft),
    });
    if (status === 201) return `201, ${JSON.parse(text).status}`;
    assert.ok(status === 409 || status === 422, `${status} ${text}`);
  }
  return assert.fail('no free start in a month');
}
