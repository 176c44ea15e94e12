/** What the platform and owners do: systems with their catalogue, clients, sources, mappings, marketplaces. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../requests/bodies.ts';
import { callerNamed, type Teller, tell } from './tell.ts';

export async function platformStories(teller: Teller): Promise<void> {
  await anAgentGetsPartners(teller);
  await aPartnerDistributes(teller);
  await aMarketplaceLists(teller);
  await rulesAreOrdered(teller);
  if (teller.connect) await aSystemIsConnected(teller, teller.connect);
}

async function anAgentGetsPartners(teller: Teller): Promise<void> {
  const agent = await tell(teller, { name: 'POST /manage/clients', body: { kind: 'agent' } });
  if (!agent) return;
  const { partnerId } = teller.victim;
  const ids = { clientId: agent.id, partnerId };
  const path = '/manage/clients/{clientId}';
  await tell(teller, { name: `POST ${path}/partners`, ids, body: { partnerId } });
  const mandate = { maxPartySize: 4, cities: ['London'] };
  await tell(teller, { name: `PUT ${path}/mandate`, ids, body: mandate });
  await tell(teller, { name: `GET ${path}/mandate`, ids });
  await tell(teller, { name: `DELETE ${path}/mandate`, ids });
  await tell(teller, { name: `DELETE ${path}/partners/{partnerId}`, ids });
  await tell(teller, { name: `DELETE ${path}`, ids });
}

async function aPartnerDistributes(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const owner = callerNamed(teller, 'owner of a victim');
  const ids = { partnerId: victim.partnerId, venueId: `${victim.operatorId}|house|night-owl` };
  const { data = [] } = (await tell(teller, { name: 'GET /manage/venues/{venueId}/products', ids })) ?? {};
  const [productKey, second] = data.map(({ key }: { key: string }) => key);
  const terms = { company: { mode: 'none', names: [] }, maxPartySize: null, isRequestOnly: false };
  const path = '/manage/partners/{partnerId}/mappings/{venueId}';
  await tell(teller, { name: `PUT ${path}`, ids, body: { ...terms, productKeys: [productKey] } });
  const product = { ...ids, productKey: second ?? productKey };
  if (second) await tell(teller, { name: `POST ${path}/products`, ids, body: { productKey: second } });
  await tell(teller, {
    name: `PUT ${path}/products/{productKey}`,
    ids: product,
    body: { productKey: second ?? productKey },
  });
  await tell(teller, { name: `GET ${path}`, ids });
  await tell(teller, { name: `DELETE ${path}/products/{productKey}`, ids: product });
  await tell(teller, { name: `DELETE ${path}`, ids });
  const at = { operatorId: victim.operatorId };
  const sources = '/manage/operators/{operatorId}/sources';
  const body = { name: `W${chances.below(1e9)}`, partnerId: null };
  const source = await tell(teller, { name: `POST ${sources}`, ids: at, body });
  const other = await tell(teller, {
    name: 'POST /manage/partners',
    body: { reference: chances.word(), name: chances.word(), allowSimilarName: true },
  });
  if (source && other) {
    const resolved = { ...at, sourceId: source.id };
    await tell(teller, {
      name: `POST ${sources}/{sourceId}/resolve`,
      ids: resolved,
      body: { partnerId: other.id },
    });
    const one = { ...at, partnerId: other.id };
    await tell(teller, { name: 'DELETE /manage/operators/{operatorId}/partners/{partnerId}', ids: one });
  }
  const invites = '/manage/operators/{operatorId}/invites';
  const invite = { email: `${chances.word()}-${victim.operatorId}@stories.example`, role: 'staff' };
  const invited = await tell(teller, { name: `POST ${invites}`, ids: at, as: owner, body: invite });
  const inviteId = invited?.id;
  if (inviteId)
    await tell(teller, { name: `DELETE ${invites}/{inviteId}`, ids: { ...at, inviteId }, as: owner });
}

async function aMarketplaceLists(teller: Teller): Promise<void> {
  const { victim, chances } = teller;
  const names = {
    reference: chances.word(),
    name: chances.word(),
    isMarketplace: true,
    allowSimilarName: true,
  };
  const market = await tell(teller, { name: 'POST /manage/partners', body: names });
  if (!market) return;
  const operator = { operatorId: victim.operatorId, partnerId: market.id };
  const body = { isSuspended: false, source: `MARKET${market.id}` };
  await tell(teller, {
    name: 'PUT /manage/operators/{operatorId}/partners/{partnerId}',
    ids: operator,
    body,
  });
  const listing = { partnerId: market.id, listingId: chances.word(), isEnabled: true, managed: [] };
  const ids = { venueId: `${victim.operatorId}|house|blue-note` };
  await tell(teller, { name: 'PUT /manage/venues/{venueId}/marketplace', ids, body: listing });
}

async function rulesAreOrdered(teller: Teller): Promise<void> {
  const { victim } = teller;
  const as = callerNamed(teller, 'manager of a victim');
  const ids = { operatorId: victim.operatorId };
  const path = '/manage/operators/{operatorId}/booking-rules/order';
  const order = await tell(teller, { name: `GET ${path}`, ids, as });
  if (order?.ruleIds) await tell(teller, { name: `PUT ${path}`, ids, as, body: { ruleIds: order.ruleIds } });
  const categories = '/manage/operators/{operatorId}/partner-categories';
  const owner = callerNamed(teller, 'owner of a victim');
  const body = { name: teller.chances.word(), slug: `s-${teller.chances.below(1e9)}`, partnerIds: [1] };
  const category = await tell(teller, { name: `POST ${categories}`, ids, as: owner, body });
  const venueId = `${victim.operatorId}|house|soho-grill`;
  const rules = '/manage/venues/{venueId}/availability-rules';
  const definition = { weekdays: [5, 6], startTime: '19:00', endTime: '21:00', reason: 'Kept for regulars' };
  const kind = { type: 'recurring_with_time', effect: 'disable', channel: 'all', isActive: false };
  const aim = { productKey: 'dinner', spaceId: null, partnerIds: [1], categoryIds: null, scope: null };
  const sent = { ...kind, ...aim, definition };
  const rule = await tell(teller, { name: `POST ${rules}`, ids: { venueId }, as, body: sent });
  if (!rule || !category) return;
  await tell(teller, { name: `GET ${rules}/{ruleId}`, ids: { venueId, ruleId: rule.id }, as });
  await tell(teller, { name: `PUT ${rules}/{ruleId}`, ids: { venueId, ruleId: rule.id }, as, body: sent });
  const scope = '/manage/venues/{venueId}/availability-rules/{ruleId}/scope/categories';
  const at = { venueId, ruleId: rule.id, categoryId: category.id };
  await tell(teller, { name: `POST ${scope}`, ids: at, as, body: { categoryId: category.id } });
  await tell(teller, { name: `DELETE ${scope}/{categoryId}`, ids: at, as });
  const partners = '/manage/venues/{venueId}/availability-rules/{ruleId}/scope/partners';
  const partner = { venueId, ruleId: rule.id, partnerId: victim.partnerId };
  await tell(teller, { name: `POST ${partners}`, ids: partner, as, body: { partnerId: victim.partnerId } });
  await tell(teller, { name: `DELETE ${partners}/{partnerId}`, ids: partner, as });
  await tell(teller, { name: `DELETE ${rules}/{ruleId}`, ids: { venueId, ruleId: rule.id }, as });
}

const PATIENCE = 40;
const POLL_MS = 250;

/** That of operator 1 again under another name, at an operator whose account comes and goes. */
async function aSystemIsConnected(teller: Teller, connect: NonNullable<Teller['connect']>): Promise<void> {
  const { victim, chances, context } = teller;
  const owner = callerNamed(teller, 'owner of a victim');
  const known = await tell(teller, { name: 'GET /manage/systems/{slug}', ids: { slug: connect.slug } });
  if (!known) return;
  const slug = `t-${chances.below(1e9)}`;
  const { protocol, settings } = known;
  const system = { protocol, name: chances.word(), settings };
  await tell(teller, { name: 'PUT /manage/systems/{slug}', ids: { slug }, body: system });
  const ids = { operatorId: victim.operatorId, tms: slug };
  const path = '/manage/operators/{operatorId}/systems/{tms}';
  // Each node hears of a new system in its own time.
  let account: Json;
  for (let left = PATIENCE; account === undefined && left > 0; left -= 1) {
    account = await tell(teller, { name: `PUT ${path}`, ids, body: { settings: {} } });
    await sleep(POLL_MS);
  }
  const fields = { token: connect.token, webhookSecret: connect.secret };
  await tell(teller, { name: `POST ${path}/credentials`, ids, as: owner, body: { fields } });
  await tell(teller, { name: `PUT ${path}/credentials`, ids, as: owner, body: { fields } });
  await tell(teller, { name: `GET ${path}/credentials`, ids, as: owner });
  await tell(teller, { name: `POST ${path}/test`, ids, as: owner, body: {} });
  await tell(teller, { name: `GET ${path}/health`, ids, as: owner });
  const begun = await tell(teller, {
    name: `POST ${path}/catalogue`,
    ids,
    as: owner,
    query: '?dryRun=true',
    body: {},
  });
  for (let run: Json = begun, left = PATIENCE; run?.state === 'running' && left > 0; left -= 1) {
    await sleep(POLL_MS);
    run = await tell(teller, {
      name: `GET ${path}/catalogue/{runId}`,
      ids: { ...ids, runId: run.id },
      as: owner,
    });
  }
  if (begun)
    await tell(teller, {
      name: `GET ${path}/catalogue/{runId}/differences`,
      ids: { ...ids, runId: begun.id },
      as: owner,
    });
  await tell(teller, { name: `DELETE ${path}/credentials`, ids, as: owner });
  await tell(teller, { name: `DELETE ${path}`, ids });
  await tell(teller, { name: 'DELETE /manage/systems/{slug}', ids: { slug } });
  context.known.forget('/manage/systems', slug);
}
