/** A mapping as its form has it, and back. */
import type { Mapping, MappingChange } from '../../../../../features/partners/schema.ts';

export interface MappingValues {
  productKeys: string[];
  maxPartySize: string;
  isRequestOnly: boolean;
  guestMails: Mapping['guestMails'];
  deposit: Mapping['deposit'];
  mode: Mapping['company']['mode'];
  /** One to a line. */
  names: string;
}

/** Absent: a new one, with all products of the venue. */
export const formOf = (mapping: Mapping | null, productKeys: readonly string[]): MappingValues => ({
  productKeys: mapping?.productKeys ?? [...productKeys],
  maxPartySize: String(mapping?.maxPartySize ?? ''),
  isRequestOnly: mapping?.isRequestOnly ?? false,
  guestMails: mapping?.guestMails ?? 'partner',
  deposit: mapping?.deposit ?? 'declared',
  mode: mapping?.company.mode ?? 'none',
  names: mapping?.company.names.join('\n') ?? '',
});

export function changeOf({
  productKeys,
  maxPartySize,
  isRequestOnly,
  guestMails,
  deposit,
  mode,
  names,
}: MappingValues): MappingChange {
  const lines = names
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    productKeys,
    maxPartySize: maxPartySize === '' ? null : Number(maxPartySize),
    isRequestOnly,
    guestMails,
    deposit,
    company: { mode, names: mode === 'none' ? [] : lines },
  };
}
