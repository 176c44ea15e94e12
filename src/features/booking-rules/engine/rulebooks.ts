import type { Sql, Tx } from '../../../db/database.ts';
import type { Notifications } from '../../../db/notifications.ts';
import { ReadCache, type ReadTicket } from '../../../db/read-cache.ts';
import { estimateBytes } from '../../../kernel/estimate-bytes.ts';
import { outsideRequest } from '../../../kernel/request-scope.ts';
import { checkStored } from '../manage/draft.ts';
import { loadRulebook } from '../store.ts';
import { type CompiledRule, compileRule } from './compiled.ts';
import { byPrecedence, type Rule } from './rule.ts';

/** The compiled rules of an operator. */
export interface Rulebook {
  operatorId: number;
  /** Rises with every change of a rule; 0 when the operator never had one. */
  version: number;
  /** The active ones, by precedence. */
  rules: readonly CompiledRule[];
}

export interface Rulebooks {
  /**
   * A caller in a transaction passes it, and the rulebook is read there: it must not wait for a second connection.
   */
  get(operatorId: number, tx?: Tx): Promise<Rulebook>;
  /** For a caller that finds a stale rulebook before the notification arrives. */
  forget(operatorId: number): void;
}

/** How many of the selections that are made for pairs of partner and product are kept with a book. */
export const SELECTIONS_KEPT = 200;

export interface RulebookOptions {
  /** Told of rules that were storable once and cannot be carried out any more. */
  onBroken?: (rule: Rule, error: unknown) => void;
}

/** Beside the rules as read, a rulebook has their compiled form and cached selections of them. */
const COMPILED = 4;
const SELECTION_BYTES = 200;
const TOPIC = 'rules:';
const tagOf = (operatorId: number) => `${TOPIC}${operatorId}`;

/** What a node remembers of operators' rules. */
export function createRulebooks(
  sql: Sql,
  notifications: Notifications,
  { onBroken = () => {} }: RulebookOptions = {},
): Rulebooks {
  const cache = new ReadCache<Rulebook>('booking_rules', notifications.isConnected);
  const reads = new Map<number, { ticket: ReadTicket; book: Promise<Rulebook> }>();
  notifications.subscribe({
    changed: (topic) => topic.startsWith(TOPIC) && cache.drop(topic),
    lost: () => cache.clear(),
  });

  async function read(from: Tx, operatorId: number, ticket: ReadTicket): Promise<Rulebook> {
    const { version, rules } = await loadRulebook(from, operatorId);
    const book = { operatorId, version, rules: compileAll(rules, onBroken) };
    cache.keep(ticket, String(operatorId), book, bytesOf(rules), [tagOf(operatorId)]);
    return book;
  }

  /** Many calls may miss the same book at once. They share a read that would still be kept, and no other. */
  function readOnce(operatorId: number): Promise<Rulebook> {
    const ticket = cache.beginRead();
    const underWay = reads.get(operatorId);
    if (underWay?.ticket === ticket && notifications.isConnected()) return underWay.book;
    // Outside the request of the first caller, which may disconnect.
    const book = outsideRequest(() => read(sql, operatorId, ticket)).finally(() => {
      if (reads.get(operatorId)?.book === book) reads.delete(operatorId);
    });
    reads.set(operatorId, { ticket, book });
    return book;
  }

  return {
    get: async (operatorId, tx) =>
      cache.get(String(operatorId)) ?? (tx ? read(tx, operatorId, cache.beginRead()) : readOnce(operatorId)),
    forget: (operatorId) => cache.drop(tagOf(operatorId)),
  };
}

function bytesOf(rules: readonly Rule[]): number {
  const ofSelection = SELECTION_BYTES + rules.length * 8;
  return COMPILED * estimateBytes(rules) + SELECTIONS_KEPT * ofSelection;
}

/** A rule that an older version stored and this one cannot carry out is left out, so that the others still hold. */
export function compileAll(rules: Rule[], onBroken: (rule: Rule, error: unknown) => void): CompiledRule[] {
  return rules.toSorted(byPrecedence).flatMap((rule) => {
    try {
      checkStored(rule);
      return [compileRule(rule)];
    } catch (error) {
      onBroken(rule, error);
      return [];
    }
  });
}
