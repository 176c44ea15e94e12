/**
 * What a booking lacks is asked of the user where the client can ask. The server keeps nothing meanwhile: the client
 * sends the call again with the answer, and with what was answered before in a signed state.
 */

import { hkdfSync } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Venue } from '../../features/venues/service.ts';
import { visibilityKey, visibilityOf } from '../../http/auth/caller.ts';
import { isObject, type JsonObject } from '../../http/validation/schema-helpers.ts';
import type { EncryptionKey, Keyring } from '../../kernel/crypto.ts';
import { isProductId, venueOfProduct } from '../../kernel/ids.ts';
import type { Problem } from '../../kernel/problem.ts';
import { money, type ToolCall } from './tool.ts';

type Form = Parameters<typeof inputRequired.elicit>[0];
type Field = JsonObject & { type: 'string' | 'boolean'; title: string };

interface Question {
  message: string;
  fields: Record<string, Field>;
  /** Arguments that the call gets when the user agrees. */
  whenAgreed?: JsonObject;
}

/** What the client sends back with an answer. */
export interface Asked {
  /** Arguments that were answered before. */
  answered: JsonObject;
  whenAgreed: JsonObject;
}

const ANSWER = 'answer';
const STATE_SECONDS = 600;

export type AskedCodec = RequestStateCodec<Asked>;

/** A state is good for the client that it was made for. */
export function createAskedCodec({ first, all }: Keyring): AskedCodec {
  const { mint } = codecOf(first);
  const codecs = all.map(codecOf);
  return {
    mint,
    /** Another node may have another first key. */
    verify: (state, context) => firstOf(codecs, (codec) => codec.verify(state, context)),
  };
}

/** Throws what the last one throws when none succeeds. */
async function firstOf<Item, Found>(
  [item, ...others]: readonly Item[],
  find: (item: Item) => Promise<Found>,
): Promise<Found> {
  if (item === undefined) throw new Error('There is no encryption key.');
  try {
    return await find(item);
  } catch (error) {
    if (others.length === 0) throw error;
    return firstOf(others, find);
  }
}

const codecOf = ({ bytes }: EncryptionKey) =>
  createRequestStateCodec<Asked>({
    key: new Uint8Array(hkdfSync('sha256', bytes, '', 'state of an MCP request', 32)),
    ttlSeconds: STATE_SECONDS,
    bind: ({ http }) => `${http?.authInfo?.clientId} ${http?.authInfo?.extra?.seenAs}`,
  });

export const authInfoOf = (exchange: { caller: ToolCall['caller'] }) => ({
  // Tools know their caller; none of them sees the token.
  token: '',
  clientId: exchange.caller.clientId,
  scopes: [...exchange.caller.scopes],
  extra: { exchange, seenAs: visibilityKey(visibilityOf(exchange.caller)) },
});

/** The arguments with what the user has answered; undefined: the user said no. */
export function withAnswers(args: JsonObject, { mcpReq }: ServerContext): JsonObject | undefined {
  const asked = mcpReq.requestState<Asked>();
  if (asked === undefined) return args;
  const answer = inputResponse(mcpReq.inputResponses, ANSWER);
  if (answer.kind !== 'elicit') return { ...args, ...asked.answered };
  if (answer.action !== 'accept') return undefined;
  const { agreed, package: packageId, dish, ...said } = answer.content ?? {};
  if (agreed === false) return undefined;
  return {
    ...args,
    ...asked.answered,
    ...said,
    ...((packageId ?? dish) !== undefined && { preorders: wholeParty(args, packageId, dish) }),
    ...(agreed === true && asked.whenAgreed),
  };
}

export const DECLINED: CallToolResult = {
  isError: true,
  content: [{ type: 'text', text: 'The user said no. Nothing was done.' }],
};

/** A question to the user in place of a refusal; undefined: the client cannot ask its user, or there is nothing to ask. */
export async function askFor(
  refusal: Problem,
  call: ToolCall,
  {
    args,
    given,
    codec,
    context,
  }: { args: JsonObject; given: JsonObject; codec: AskedCodec; context: ServerContext },
): Promise<InputRequiredResult | undefined> {
  if (!canAsk(context)) return undefined;
  const question = await questionFor(refusal, call, args);
  if (question === undefined) return undefined;
  const { message, fields, whenAgreed = {} } = question;
  const answered = Object.fromEntries(Object.entries(args).filter(([name, value]) => given[name] !== value));
  const form = {
    message,
    requestedSchema: { type: 'object', properties: fields, required: Object.keys(fields) },
  } as Form;
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit(form) },
    requestState: await codec.mint({ answered, whenAgreed }, context),
  });
}

/** Without a mode, forms are meant. Only the newer protocol has a way to ask that needs no session. */
function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as JsonObject | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const asking = capabilities?.elicitation;
  return asking !== undefined && (asking.form !== undefined || asking.url === undefined);
}

async function questionFor(
  { code, options }: Problem,
  call: ToolCall,
  args: JsonObject,
): Promise<Question | undefined> {
  const { detail = '', errors = {}, extensions = {} } = options;
  switch (code) {
    case 'VALID-N-001':
      return guestQuestion(Object.entries(errors));
    case 'BOOK-N-015':
    case 'BOOK-N-016':
      return companyQuestion(detail, await findVenue(call, args));
    case 'BOOK-N-007':
    case 'BKRUL-N-006':
      return preorderQuestion(detail, await findVenue(call, args), args);
    case 'BKRUL-N-001':
      return depositQuestion(extensions.deposit);
    case 'MANDT-N-002':
      return {
        message: detail,
        fields: { agreed: { type: 'boolean', title: 'Yes, do this' } },
        whenAgreed: { confirmationToken: extensions.confirmationToken },
      };
    default:
      return undefined;
  }
}

/** What only the guest can say. */
const GUEST: Record<string, Field> = {
  firstName: { type: 'string', title: 'First name' },
  lastName: { type: 'string', title: 'Last name' },
  email: { type: 'string', title: 'E-mail', format: 'email' },
  phone: { type: 'string', title: 'Telephone' },
};

/** Asked only where nothing else is wrong: the model can put right what it has sent. */
function guestQuestion(errors: [field: string, messages: string[]][]): Question | undefined {
  const fields = Object.fromEntries(
    errors.flatMap(([name, [message]]) => {
      const field = GUEST[name];
      return field && message === 'is required' ? [[name, field]] : [];
    }),
  );
  if (errors.length === 0 || Object.keys(fields).length < errors.length) return undefined;
  return { message: 'Who is the table for?', fields };
}

async function findVenue(
  { venues, caller }: ToolCall,
  { compositeId }: JsonObject,
): Promise<Venue | undefined> {
  if (typeof compositeId !== 'string' || !isProductId(compositeId)) return undefined;
  // Where it cannot be read now, the refusal stands as it is.
  return venues.get(caller, venueOfProduct(compositeId)).catch(() => undefined);
}

function companyQuestion(message: string, venue: Venue | undefined): Question | undefined {
  const names = venue?.bookingRequirements.company.companyNames ?? [];
  if (names.length === 0) return undefined;
  return { message, fields: { company: { type: 'string', title: 'Company', enum: names } } };
}

/** The same for the whole party: who wants to order guest by guest says no, and sends `preorders`. */
function preorderQuestion(message: string, venue: Venue | undefined, args: JsonObject): Question | undefined {
  const product = venue?.products.find(({ compositeId }) => compositeId === args.compositeId);
  if (product === undefined) return undefined;
  const { preOrderRequiredType: required } = product;
  const packages = packageChoices(product);
  const dishes = dishChoices(product);
  // A rule may ask for a pre-order of any kind where the product does not.
  const takesDish =
    required === 'menu' || required === 'packageAndMenu' || (required === 'none' && packages.length === 0);
  const fields: Record<string, Field> = {
    ...(required !== 'menu' &&
      packages.length > 0 && { package: choice('Package for each guest', packages) }),
    ...(takesDish && dishes.length > 0 && { dish: choice('Dish for each guest', dishes) }),
  };
  return Object.keys(fields).length > 0 ? { message, fields } : undefined;
}

type Choice = { const: string; title: string };

const choice = (title: string, choices: Choice[]): Field => ({ type: 'string', title, oneOf: choices });

/** Extras for the whole booking cover no guest, unless there is nothing else. */
function packageChoices({ preorders: { packages } }: Venue['products'][number]): Choice[] {
  const forGuests = packages.filter(({ pricePer }) => pricePer === 'guest');
  return (forGuests.length > 0 ? forGuests : packages).map(({ id, name, price, currency }) => ({
    const: String(id),
    title: `${name}, ${money(price, currency)}`,
  }));
}

/** Dishes that leave nothing to be chosen. */
const dishChoices = ({ preorders: { menus } }: Venue['products'][number]): Choice[] =>
  menus.flatMap((menu) =>
    menu.items
      .filter((item) => item.configurable_options.every(({ required }) => !required))
      .map((item) => ({ const: `${menu.id} ${item.id}`, title: `${menu.name}: ${item.name}` })),
  );

function wholeParty({ partySize, children }: JsonObject, packageId: unknown, dish: unknown): JsonObject {
  const quantity = Number(partySize) + Number(children ?? 0);
  const [menuId, id] = String(dish).split(' ').map(Number);
  return {
    ...(packageId !== undefined && { packages: [{ id: Number(packageId), quantity }] }),
    ...(dish !== undefined && { menus: [{ id: menuId, items: [{ id, quantity }] }] }),
  };
}

function depositQuestion(deposit: unknown): Question | undefined {
  if (!isObject(deposit)) return undefined;
  const { total, currency } = deposit as { total: number; currency: string };
  return {
    message: `The venue asks for a deposit of ${money(total, currency)}. Have you taken it from the guest?`,
    fields: { agreed: { type: 'boolean', title: 'Deposit taken' } },
    whenAgreed: { depositAmount: total },
  };
}
