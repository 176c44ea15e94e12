/** The clients that take part, each with what it may do, made over the interface before the storm begins. */

import { OPERATOR } from '../../../test/support/remote-tms/bistros.ts';
import type { AgentClient } from '../../agents/world.ts';
import { type Spot, systemsOf, type World } from '../world.ts';
import { mandatesFor } from './agency.ts';
import { type Stage, tokenOf } from './caller.ts';
import { AGENCY } from './desk.ts';

export interface Employed {
  client: string;
  token: string;
  headers?: Record<string, string>;
}

export interface Staff {
  partner: Employed;
  other: Employed;
  agent: Employed;
  platform: Employed;
  /** Partners that the storm has made: one of agents with mandates, one whose mapping comes and goes. */
  agency: { id: number; clients: AgentClient[]; reader: Employed };
  mapped: { id: number; client: Employed };
  /** A client of its own for each, so that the audit log can be told apart. */
  employ(id: string, kind: object): Promise<Employed>;
  send(method: string, path: string, token: string, body: object): Promise<Answer>;
}

/** `/mcp` answers under the name that the service has outside, as a proxy passes it on. */
export const PUBLIC_HOST = { host: 'maitred.example' };

/** How a partner sells, where nothing else matters. */
export const MAPPING_TERMS = {
  ...{ company: { mode: 'none', names: [] }, maxPartySize: null, isRequestOnly: false },
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Answer = any;

async function send(
  stage: Stage,
  [method, path]: [string, string],
  token: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(new URL(path, stage.cluster.sound()), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

export async function employStaff(stage: Stage, world: World): Promise<Staff> {
  const address = stage.cluster.sound();
  const demo = async (client: string) => ({ client, token: await tokenOf(address, client) });
  const platform = await demo('demo-admin');
  const ask = (method: string, path: string, body: object) =>
    send(stage, [method, path], platform.token, body);
  const employ = async (id: string, kind: object): Promise<Employed> => {
    const { secret } = await ask('POST', '/manage/clients', { id, ...kind });
    return { client: id, token: await tokenOf(address, id, secret) };
  };
  /** A partner that distributes these, with a client that reads its log. */
  const found = async (reference: string, name: string, spots: readonly Spot[]) => {
    const { id } = await ask('POST', '/manage/partners', { reference, name, allowSimilarName: true });
    for (const { venueId, productId, operatorId } of spots) {
      await ask('PUT', `/manage/operators/${operatorId}/partners/${id}`, {
        isSuspended: false,
        source: reference,
      });
      await ask('PUT', `/manage/partners/${id}/mappings/${encodeURIComponent(venueId)}`, {
        ...MAPPING_TERMS,
        productKeys: [productId.split('|')[3]],
      });
    }
    return {
      id: Number(id),
      client: await employ(`${reference}-reader`, { kind: 'partner', partnerId: id }),
    };
  };

  await connectSystems(world, ask);
  const sold = agencySpots(world);
  const agency = await found('storm-agency', AGENCY, sold);
  const clients: AgentClient[] = [];
  for (const [name, mandate] of Object.entries(mandatesFor(sold))) {
    const { token } = await employ(name, { kind: 'partner', partnerId: agency.id });
    if (mandate) await ask('PUT', `/manage/clients/${name}/mandate`, mandate);
    clients.push({ name, mandate, token, headers: PUBLIC_HOST });
  }
  return {
    partner: await demo('demo-partner'),
    other: await demo('other-partner'),
    agent: { ...(await demo('demo-agent')), headers: { 'x-partner-reference': 'demo-partner' } },
    platform,
    agency: { id: agency.id, clients, reader: agency.client },
    mapped: await found('storm-mapped', 'Storm mapped', world.spots.slice(0, 1)),
    employ,
    send: (method, path, token, body) => send(stage, [method, path], token, body),
  };
}

/** Two rooms and a gig: what venues change in systems of their own is not bound by a mandate. */
export const agencySpots = ({ spots }: World) =>
  spots.filter(({ kind }, index) => kind === 'room' || index === 2);

/** The platform adds the systems, and their operator gives them what they are opened with. */
async function connectSystems(
  world: World,
  ask: (method: string, path: string, body: object) => Promise<Answer>,
) {
  for (const { slug, protocol, settings, credentials } of systemsOf(world)) {
    await ask('PUT', `/manage/systems/${slug}`, { protocol, name: slug, settings });
    const account = `/manage/operators/${OPERATOR}/systems/${slug}`;
    await ask('PUT', account, { settings: {} });
    await ask('POST', `${account}/credentials`, { fields: credentials });
  }
}
