/** `holds`: a place that is kept while the guest decides. */
import type { Hold } from '@maitred/client';
import { defineCommand, UsageError } from '../command.ts';
import { readCount, readTime } from '../dates.ts';
import { money, type Output, printable } from '../output.ts';
import { dayAt } from './venues.ts';

const ID = [{ name: 'HOLD' }] as const;
const TTL = {
  type: 'string',
  value: 'SECONDS',
  about: 'For how long; 300 if not given, 600 at most',
} as const;

export const createHold = defineCommand({
  name: 'holds create',
  summary: 'Keep a place and its terms for a few minutes',
  arguments: [{ name: 'PRODUCT' }],
  options: {
    date: { type: 'string', value: 'DAY', about: '2026-12-05, today, tomorrow, +7d or friday' },
    time: { type: 'string', value: 'TIME', about: 'The start, such as 19:30' },
    party: { type: 'string', value: 'COUNT', about: 'How many adults; 2 if not given' },
    seconds: TTL,
  },
  examples: ["maitred holds create '1|house|soho-grill|dinner' --date friday --time 19:30 --party 2"],
  async run({ args: [product = ''], options }, { out, connect, signal }) {
    const { date, time, party = '2', seconds } = options;
    if (!date || !time) throw new UsageError('--date and --time are needed.');
    const maitred = await connect();
    const hold = await maitred.holds.create(
      product,
      {
        date: await dayAt(maitred, product, date, signal),
        time: readTime(time),
        partySize: readCount('--party', party),
        ...(seconds && { ttlSeconds: readCount('--seconds', seconds) }),
      },
      { signal },
    );
    showHold(out, hold);
  },
});

export const showHoldCommand = defineCommand({
  name: 'holds show',
  summary: 'Show a hold and until when it lasts',
  arguments: ID,
  options: {},
  examples: ['maitred holds show 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'],
  async run({ args: [id = ''] }, { out, connect, signal }) {
    const maitred = await connect();
    showHold(out, await maitred.holds.get(id, { signal }));
  },
});

export const extendHold = defineCommand({
  name: 'holds extend',
  summary: 'Keep a place for longer, once',
  arguments: ID,
  options: { seconds: TTL },
  examples: ['maitred holds extend 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'],
  async run({ args: [id = ''], options: { seconds } }, { out, connect, signal }) {
    const maitred = await connect();
    const body = seconds ? { ttlSeconds: readCount('--seconds', seconds) } : {};
    showHold(out, await maitred.holds.extend(id, body, { signal }));
  },
});

export const releaseHold = defineCommand({
  name: 'holds release',
  summary: 'Give a place back',
  arguments: ID,
  options: {},
  examples: ['maitred holds release 019a7f3e-5b1c-7d42-8f3a-2c9e4b7d1a60'],
  async run({ args: [id = ''] }, { out, connect, signal }) {
    const maitred = await connect();
    await maitred.holds.release(id, { signal });
    out.document({ id, status: 'released' }, () => out.line(`Released ${id}.`));
  },
});

function showHold(out: Output, hold: Hold): void {
  out.document(hold, () => {
    const { slot, offer, expiresAt, status } = hold;
    const seconds = Math.max(0, Math.round((Date.parse(expiresAt) - Date.now()) / 1000));
    out.line(out.style(status === 'open' ? 'green' : 'yellow', printable(status)));
    out.line();
    out.facts({
      hold: hold.id,
      product: slot.compositeId,
      when: `${slot.date} ${slot.time}, ${slot.duration} minutes`,
      party: slot.partySize,
      until: status === 'open' ? `${expiresAt} (${seconds} s)` : expiresAt,
      deposit: offer.deposit > 0 ? money(offer.deposit, offer.currency) : null,
      booking: hold.bookingId,
    });
    if (status === 'open') out.line(`\nBook it: maitred book --hold ${hold.id} --name "Ada Lovelace"`);
  });
}
