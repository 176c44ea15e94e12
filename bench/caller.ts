import type { Tx } from '../src/db/database.ts';
import { addSecret, createClient, createPartner } from '../src/features/identity/service.ts';

/** A partner with a client of that name, which `tokenOf` gives the token of; answers its id. */
export async function addPartner(tx: Tx, reference: string): Promise<number> {
  const { id } = await createPartner(tx, { reference, name: reference });
  await createClient(tx, { id: reference, kind: 'partner', partnerId: id });
  await addSecret(tx, reference, { secret: `${reference}-secret` });
  return id;
}

/** A token of a client whose secret follows its id, as those of the demo data do. */
export async function tokenOf(server: { address: string | URL }, clientId: string): Promise<string> {
  const response = await fetch(new URL('/oauth/token', server.address), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: `${clientId}-secret`,
      audience: 'maitred',
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (!token) throw new Error(`No token for ${clientId}: ${response.status}.`);
  return token;
}
