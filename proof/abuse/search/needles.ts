/** Finds any of many texts in a great deal of bytes, each also as it looks when it is encoded. */

export interface Needle {
  /** What it is, for the report; the value itself is not repeated there. */
  label: string;
  bytes: Buffer;
}

/** The forms in which a value could have been written down. */
export function needlesFor(label: string, value: string): Needle[] {
  const plain = Buffer.from(value);
  const as = (form: string, text: string): Needle => ({
    label: `${label}, ${form}`,
    bytes: Buffer.from(text),
  });
  const forms = [
    as('as it is', value),
    as('in lower case', value.toLowerCase()),
    as('in hex', plain.toString('hex')),
    as('in upper-case hex', plain.toString('hex').toUpperCase()),
    as('percent-encoded', encodeURIComponent(value)),
    ...[0, 1, 2].flatMap((offset) => base64At(plain, offset).map((text) => as('in base64', text))),
  ];
  const seen = new Set<string>();
  return forms.filter(({ bytes }) => {
    const text = bytes.toString('latin1');
    const isNew = bytes.length >= SHORTEST && !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

/** Three bytes are four characters, so a value looks different by where it stands; its ends belong to neighbours. */
function base64At(plain: Buffer, offset: number): string[] {
  const whole = Buffer.concat([Buffer.alloc(offset), plain])
    .toString('base64')
    .replace(/=+$/, '');
  const start = offset === 0 ? 0 : offset + 1;
  const end = whole.length - (whole.length % 4 === 0 ? 0 : 1);
  const text = whole.slice(start, end);
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Shorter ones would be found anywhere. */
const SHORTEST = 7;
const KEY_BYTES = 4;

export type Search = (bytes: Buffer, found: (label: string, at: number) => void) => void;

/** A table says of any three bytes whether a needle begins with them; few places are looked at twice. */
export function searchFor(needles: readonly Needle[]): Search {
  const mayBegin = new Uint8Array(1 << 24);
  const byKey = new Map<number, Needle[]>();
  for (const needle of needles) {
    const { bytes } = needle;
    mayBegin[bytes.readUIntLE(0, 3)] = 1;
    byKey.getOrInsertComputed(bytes.readUInt32LE(0), () => []).push(needle);
  }
  return (bytes, found) => {
    for (let at = 0; at + KEY_BYTES <= bytes.length; at += 1) {
      const first = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
      if (mayBegin[first] === 0) continue;
      for (const needle of byKey.get(bytes.readUInt32LE(at)) ?? []) {
        if (bytes.subarray(at, at + needle.bytes.length).equals(needle.bytes)) found(needle.label, at);
      }
    }
  };
}
