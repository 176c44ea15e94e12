/**
 * Every code that an answer can carry, with its one status. The lists are grouped by what a code is about;
 * the problem pages, the OpenAPI document and the error handler all read from here.
 */
import { accountCodes } from './catalogue/account-codes.ts';
import { availabilityCodes } from './catalogue/availability-codes.ts';
import { bookingCodes } from './catalogue/booking-codes.ts';
import type { CatalogueEntry } from './catalogue/entry.ts';
import { moneyCodes } from './catalogue/money-codes.ts';
import { partnerCodes } from './catalogue/partner-codes.ts';
import { requestCodes } from './catalogue/request-codes.ts';
import { venueCodes } from './catalogue/venue-codes.ts';

const codes = {
  ...requestCodes,
  ...accountCodes,
  ...venueCodes,
  ...availabilityCodes,
  ...bookingCodes,
  ...moneyCodes,
  ...partnerCodes,
};

export type ProblemCode = keyof typeof codes;

export const catalogue: Readonly<Record<ProblemCode, CatalogueEntry>> = codes;

export const problemCodes = Object.keys(codes) as ProblemCode[];

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(codes, text);
}

/** The letter in the code decides, unless the entry says otherwise. */
export function isRetryable(code: ProblemCode): boolean {
  return catalogue[code].isRetryable ?? code.split('-')[1] === 'R';
}
