import { memoize } from './memoize.ts';

/** The forms a response can take; `toon+json` wraps TOON text in a JSON object. */
export type Format = 'json' | 'toon' | 'toon+json';
export type InterfaceName = 'venue' | 'listings';

interface Offer {
  format: Format;
  type: string;
  subtype: string;
}

/** In the order of our own preference, which decides between types of equal quality. */
const VENUE_OFFERS: readonly Offer[] = [
  { format: 'json', type: 'application', subtype: 'json' },
  { format: 'toon', type: 'text', subtype: 'toon' },
];
const LISTINGS_OFFERS: readonly Offer[] = [
  ...VENUE_OFFERS,
  { format: 'toon+json', type: 'application', subtype: 'vnd.service.toon+json' },
];

const MAX_HEADER_LENGTH = 2_000;
const HEADERS_BYTES = 512 * 1024;

interface Range {
  type: string;
  subtype: string;
  /** A parameter other than `charset=utf-8` asks for a variant that we do not have. */
  asksForVariant: boolean;
  quality: number;
}

/**
 * The form of the response that suits an `Accept` header best (RFC 9110, 12.5.1), or undefined when the caller takes
 * none that we have. Entries that cannot be read are passed over; a header without any readable entry says nothing.
 */
export function negotiate(accept: string | undefined, interfaceName: InterfaceName): Format | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'json';
  if (accept.length > MAX_HEADER_LENGTH) return 'json';
  return (interfaceName === 'listings' ? bestForListings(accept) : bestForVenues(accept)).format;
}

/** Whether the caller takes the one form that there is, such as `text/csv`. */
export function isAccepted(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept.length > MAX_HEADER_LENGTH) return true;
  const [type = '', subtype = ''] = mediaType.split('/');
  // The format of the offer is of no consequence: whether there is one is the answer.
  return best(accept, [{ format: 'json', type, subtype }]).format !== undefined;
}

/** Of pages that have a form for programs: people open them in a browser, and a program that says so gets JSON. */
export function prefersJson(accept: string | undefined): boolean {
  return accept !== undefined && /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}

const bestForVenues = memoize(HEADERS_BYTES, (accept) => best(accept, VENUE_OFFERS));
const bestForListings = memoize(HEADERS_BYTES, (accept) => best(accept, LISTINGS_OFFERS));

function best(accept: string, offers: readonly Offer[]): { format: Format | undefined } {
  const ranges = rangesOf(accept);
  if (ranges.length === 0) return { format: 'json' };
  let format: Format | undefined;
  let highest = 0;
  for (const offer of offers) {
    const quality = qualityOf(offer, ranges);
    if (quality > highest) {
      format = offer.format;
      highest = quality;
    }
  }
  return { format };
}

/** The most specific range that covers an offer decides its quality; the first of equally specific ones. */
function qualityOf(offer: Offer, ranges: Range[]): number {
  let quality = 0;
  let specificity = -1;
  for (const range of ranges) {
    const found = specificityOf(range, offer);
    if (found > specificity) {
      specificity = found;
      quality = range.quality;
    }
  }
  return quality;
}

function specificityOf(range: Range, offer: Offer): number {
  const coversType = range.type === '*' || range.type === offer.type;
  const coversSubtype = range.subtype === '*' || range.subtype === offer.subtype;
  if (!coversType || !coversSubtype) return -1;
  // A caller that asks for a variant (`version=2`, a profile) is better served by the plain form than refused, so
  // such a range counts last; refusing a variant says nothing about the plain form.
  if (range.asksForVariant) return range.quality > 0 ? 0 : -1;
  if (range.type === '*') return 1;
  return range.subtype === '*' ? 2 : 3;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const MEDIA_RANGE = new RegExp(`^(${TOKEN})/(${TOKEN})$`);
const PARAMETER = new RegExp(`^(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`);
/** Java's default header has `q=.2`, which the grammar does not allow but everyone understands. */
const QUALITY = /^(?:0?\.\d{1,3}|0\.?|1(?:\.0{0,3})?)$/;

function rangesOf(accept: string): Range[] {
  return splitOutsideQuotes(accept, ',')
    .map(rangeOf)
    .filter((range) => range !== undefined);
}

function rangeOf(entry: string): Range | undefined {
  const [media = '', ...parameters] = splitOutsideQuotes(entry, ';');
  const match = MEDIA_RANGE.exec(media);
  if (!match) return undefined;
  const [type, subtype] = [(match[1] ?? '').toLowerCase(), (match[2] ?? '').toLowerCase()];
  if (type === '*' && subtype !== '*') return undefined;
  const range: Range = { type, subtype, asksForVariant: false, quality: 1 };
  for (const parameter of parameters.filter((text) => text !== '')) {
    const [, name = '', value = ''] = PARAMETER.exec(parameter.toLowerCase()) ?? [];
    if (name === '') return undefined;
    if (name === 'q') {
      if (!QUALITY.test(value)) return undefined;
      range.quality = Number(value);
    } else if (name !== 'charset' || !/^"?utf-?8"?$/.test(value)) {
      range.asksForVariant = true;
    }
  }
  return range;
}

/** Splits a list whose entries may hold quoted text with the separator in it, and trims the pieces. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator).map((piece) => piece.trim());
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\' && isQuoted) at++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      pieces.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  pieces.push(text.slice(start).trim());
  return pieces;
}
