/** Mails and webhooks are about guests on purpose: each may name those whom its reader knows, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceivedPost } from '../../../test/support/peers/receiver.ts';
import type { Caller } from '../callers.ts';
import { foreignGuestsIn, GUEST_WORD, type PartnerLetter } from '../markers.ts';
import type { Found } from './hiding-places.ts';

export interface Letters {
  read: number;
  /** Those that name a guest whom they may name. */
  aboutGuests: number;
  found: Found[];
}

const TAG = new RegExp(`${GUEST_WORD}[ABH]\\d+x`, 'gi');

export function readMails(folder: string): Letters {
  const files = readdirSync(folder).filter((name) => /\.(?:eml|html)$/.test(name));
  const letters: Letters = { read: files.length, aboutGuests: 0, found: [] };
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    const mail = name.endsWith('.eml')
      ? text
      : readFileSync(join(folder, `${name.slice(0, -5)}.eml`), 'utf8');
    const to = /^To: (.*)\r$/m.exec(mail)?.[1] ?? '';
    note(letters, `mail/${name}`, strangersIn(text, to), text);
  }
  return letters;
}

/** A guest is written to about one booking; people of an operator about those at its venues. */
function strangersIn(text: string, to: string): string[] {
  const own = new RegExp(TAG.source, 'i').exec(to)?.[0].toLowerCase();
  if (own !== undefined) {
    const named = [...text.matchAll(TAG)].map(([tag]) => tag.toLowerCase());
    return [...new Set(named)].filter((tag) => tag !== own);
  }
  const victim = /-(\d+)@(?:victim|stories)\.example$/.exec(to)?.[1];
  const isOfDemo = /@(?:lamp\.example|example\.com)$/.test(to);
  const sight: Caller['sight'] =
    victim !== undefined ? { operatorId: Number(victim) } : isOfDemo ? { operatorId: 1 } : 'no guests';
  return foreignGuestsIn(text, { sight });
}

/** The address says whose subscription it is. */
export function readPosts(posts: readonly ReceivedPost[]): Letters {
  const letters: Letters = { read: posts.length, aboutGuests: 0, found: [] };
  for (const { path, body } of posts) {
    const text = body.toString();
    const [, kind, whose = ''] = /^\/(partner|operator)-([^/]+)\//.exec(path) ?? [];
    const sight: Caller['sight'] =
      kind === 'operator'
        ? { operatorId: Number(whose) }
        : kind === 'partner' && /^[AB]$/.test(whose)
          ? { partner: whose as PartnerLetter }
          : 'no guests';
    note(letters, `webhook of ${kind} ${whose}`, foreignGuestsIn(text, { sight }), text);
  }
  return letters;
}

function note(letters: Letters, where: string, strangers: readonly string[], text: string): void {
  if (strangers.length > 0)
    letters.found.push({ what: `a guest of others: ${strangers[0]}`, where, times: 1 });
  else if (new RegExp(TAG.source, 'i').test(text)) letters.aboutGuests += 1;
}
