/** What other systems send by themselves: genuine, forged, too old, repeated, of another operator, and garbage. */
import { createHmac } from 'node:crypto';
import type { Caller } from '../callers.ts';
import { encoded, hostileText } from '../requests/hostile-values.ts';
import { spoilt } from '../requests/mutations.ts';
import { type Probe, type ProbeSetting, refusalCode, type Surface, type Surroundings } from './probe.ts';

type Sort = (typeof SORTS)[number];
const SORTS = [
  'genuine',
  'repeated',
  'forged',
  'too old',
  'of another',
  'garbage',
  'unsigned',
  'misshapen',
] as const;
/** What is believed; garbage is signed as it should be. */
const IS_GENUINE: ReadonlySet<Sort> = new Set(['genuine', 'repeated']);

const SENDER: Caller = {
  name: 'another system',
  headers: {},
  sight: 'nothing',
  isPerson: false,
  rank: 'public',
};
const TOO_OLD_SECONDS = 600;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

const nowSeconds = () => Math.floor(Date.now() / 1000);

export function connectSurface({ operatorId, slug, secret }: NonNullable<Surroundings['connect']>): Surface {
  function wireFor({ chances, known, victim }: ProbeSetting, sort: Sort): Probe['wire'] {
    const bookingIds = known.in('A bookings').slice(-chances.below(20) - 1);
    const named = bookingIds.length > 0 ? bookingIds : [chances.uuid()];
    const good = Buffer.from(JSON.stringify({ type: 'bookings.changed', bookingIds: named }));
    const json = { type: 'application/json', bytes: good };
    const body = sort === 'garbage' ? spoilt(chances, json).bytes : good;
    const id = sort === 'misshapen' ? chances.pick(['', 'x'.repeat(5000), 'a.b']) : chances.uuid();
    const time = sort === 'too old' ? nowSeconds() - TOO_OLD_SECONDS : nowSeconds();
    const timestamp = sort === 'misshapen' ? chances.pick(['-1', '1e9', 'now', '']) : String(time);
    const key = Buffer.from((sort === 'forged' ? OTHER_SECRET : secret).slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const others = [
      `${victim.operatorId}/${slug}`,
      `${operatorId}/house`,
      '2/example',
      `-1/${slug}`,
      `1e0/${slug}`,
    ];
    const elsewhere = chances.happens(0.5)
      ? chances.pick(others)
      : `1/${encoded(hostileText(chances)) || '%00'}`;
    return {
      method: 'POST',
      path: `/connect/${sort === 'of another' ? elsewhere : `${operatorId}/${slug}`}/changes`,
      headers: {
        'content-type': 'application/json',
        ...(sort !== 'unsigned' && {
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        }),
      },
      body,
    };
  }

  return notifications('connect', {
    wireFor,
    accepted: 202,
    isRefusal: (status, sort) => status === 401 || sort === 'of another',
  });
}

/** Types and objects of events of which nothing is known here, or nothing is made. */
const OBJECTS: unknown[] = [
  { object: 'payment_intent', id: 'pi_unknown' },
  { object: 'charge', payment_intent: 'pi_unknown' },
  { object: 'charge', payment_intent: { id: 'pi_unknown' } },
  { object: 'charge', payment_intent: null },
  { object: 'payout' },
  { object: 'payment_intent', id: 'pi_\u0000' },
  { object: 'payment_intent', id: 'x'.repeat(30_000) },
  { object: 'payment_intent', id: 7 },
  { object: 'charge', payment_intent: [] },
];
/** What the provider signs is always an event; these would be its mistakes. */
const ODD_EVENTS: unknown[] = [
  ...[null, [], {}, 7, 'x', { id: 'evt_1' }, { id: 'evt_2', data: null }, { id: 'evt_3', data: {} }],
  ...[{ data: { object: { object: 'payout' } } }, { id: 7, data: { object: {} } }],
  { id: 'evt_\u0000', data: { object: { object: 'payout' } } },
  { id: 'e'.repeat(30_000), data: { object: { object: 'payout' } } },
];

export function stripeSurface(secret: string): Surface {
  function wireFor({ chances }: ProbeSetting, sort: Sort): Probe['wire'] {
    const event = { id: `evt_${chances.word()}`, object: 'event', data: { object: chances.pick(OBJECTS) } };
    const good = Buffer.from(JSON.stringify(event));
    const odd = Buffer.from(JSON.stringify(chances.pick(ODD_EVENTS)));
    const json = { type: 'application/json', bytes: good };
    const body = sort !== 'garbage' ? good : chances.happens(0.5) ? odd : spoilt(chances, json).bytes;
    const time = sort === 'too old' ? nowSeconds() - TOO_OLD_SECONDS : nowSeconds();
    const key = sort === 'forged' || sort === 'of another' ? OTHER_SECRET : secret;
    const sum = createHmac('sha256', key).update(`${time}.`).update(body).digest('hex');
    const misshapen = [
      '',
      't=,v1=',
      `t=${'9'.repeat(400)},v1=${sum}`,
      `v1=${sum}`,
      't=1;v1=x',
      hostileHeader,
    ];
    const signature = sort === 'misshapen' ? chances.pick(misshapen) : `t=${time},v1=${sum}`;
    return {
      method: 'POST',
      path: '/payments/stripe',
      headers: {
        'content-type': 'application/json',
        ...(sort !== 'unsigned' && { 'stripe-signature': signature }),
      },
      body,
    };
  }

  return notifications('stripe', { wireFor, accepted: 200, isRefusal: (status) => status === 400 });
}

interface Protocol {
  wireFor(setting: ProbeSetting, sort: Sort): Probe['wire'];
  /** The status of what is believed. */
  accepted: number;
  isRefusal(status: number, sort: Sort): boolean;
}

function notifications(name: string, { wireFor, accepted, isRefusal }: Protocol): Surface {
  let earlier: Probe['wire'] | undefined;
  return {
    next(setting) {
      const sort = setting.chances.pick(SORTS);
      const wire = sort === 'repeated' && earlier ? earlier : wireFor(setting, sort);
      if (sort === 'genuine') earlier = wire;
      return {
        name: `${name} notification, ${sort}`,
        caller: SENDER,
        wire,
        isGood: IS_GENUINE.has(sort),
        faultsIn(outcome) {
          const { status } = outcome;
          if (IS_GENUINE.has(sort)) return status === accepted ? [] : [`answers ${status} to a genuine one`];
          // A body that is cut may happen to be whole.
          if (sort === 'garbage') return [];
          if (status < 300) return [`believes one that is ${sort}`];
          return isRefusal(status, sort)
            ? []
            : [`answers ${status} ${refusalCode(outcome)} to one that is ${sort}`];
        },
      };
    },
  };
}

const hostileHeader = `t=1,${'v1=0,'.repeat(800)}`;
