import { expression, rulesApp } from '../support.ts';
import { type Case, testCases } from './explain-support.ts';

/** Expressions: the part that decides, and the fact without which there is nothing to decide. */

const cases: Case[] = [
  {
    what: 'an expression whose second part does not hold',
    rule: expression(
      { and: [{ '<': [{ var: 'booking.guests' }, 5] }, { '>=': [{ var: 'booking.time' }, '20:00'] }] },
      { reject: { message: 'No.' } },
    ),
    result: 'not_applied',
    facts: { 'booking.guests': 2, 'booking.time': '19:00' },
    change: {
      fact: 'booking.time',
      value: '20:00',
      sentence:
        'booking.time is 19:00; the rule concerns a booking only when the booking starts at 20:00 or later.',
    },
  },
  {
    what: 'an expression that holds',
    rule: expression(
      { and: [{ '<': [{ var: 'booking.guests' }, 5] }, { '<': [{ var: 'booking.time' }, '20:00'] }] },
      { reject: { message: 'No.' } },
      { set: { fact: 'booking.type', value: 'request' } },
      { flag: { name: 'early' } },
    ),
    result: 'applied',
    does: 'Refuses the booking with BKRUL-N-100, turns it into an enquiry and flags it for the operator.',
    facts: { 'booking.guests': 2, 'booking.time': '19:00' },
    change: {
      fact: 'booking.guests',
      value: 5,
      sentence:
        'booking.guests is 2; the rule concerns a booking only when the party has fewer than 5 guests.',
    },
  },
  {
    what: 'a fact that is missing',
    rule: expression(
      { and: [{ '>': [{ var: 'booking.guests' }, 1] }, { '>': [{ var: 'booking.duration' }, 90] }] },
      { flag: { name: 'long' } },
    ),
    result: 'skipped',
    facts: { 'booking.guests': 2, 'booking.duration': null },
    change: {
      fact: 'booking.duration',
      value: 90,
      sentence: 'booking.duration is not known, and the rule needs it.',
    },
  },
  {
    what: 'a fact of another type',
    rule: expression(
      { if: [{ var: 'booking.guests' }, { '>': [{ var: 'booking.guests' }, '1'] }] },
      { flag: { name: 'x' } },
    ),
    result: 'skipped',
    facts: { 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: null,
      sentence: 'booking.guests is 2, with which the rule cannot be worked out.',
    },
  },
  {
    what: 'a fact of another type beside one that is missing and has a default',
    rule: expression(
      { and: [{ '>=': [{ var: ['booking.duration', 0] }, 0] }, { '==': [{ var: 'booking.guests' }, '2'] }] },
      { flag: { name: 'x' } },
    ),
    result: 'skipped',
    facts: { 'booking.duration': null, 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: null,
      sentence: 'booking.guests is 2, with which the rule cannot be worked out.',
    },
  },
  {
    what: 'a default of another type',
    rule: expression(
      { '>': [{ var: 'booking.guests' }, { var: ['booking.duration', 'long'] }] },
      { flag: { name: 'x' } },
    ),
    result: 'skipped',
    facts: { 'booking.guests': 2, 'booking.duration': null },
    change: {
      fact: 'booking.duration',
      value: null,
      sentence: 'booking.duration is not known, and the rule needs it.',
    },
  },
  {
    what: 'an expression beside one about another partner, without its number',
    rule: expression(
      {
        or: [{ '==': [{ var: 'partner.id' }, 30] }, { '>': [{ '*': [{ var: 'booking.guests' }, 2] }, 40] }],
      },
      { flag: { name: 'x' } },
    ),
    result: 'not_applied',
    facts: { 'partner.id': 1, 'booking.guests': 2 },
    change: {
      fact: 'booking.guests',
      value: 39,
      sentence:
        'booking.guests is 2; the rule concerns a booking only when either the booking is for certain partners or the number of guests times 2 is more than 40.',
    },
  },
];

testCases(rulesApp(), cases);
