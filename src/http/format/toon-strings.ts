/** Keys and scalar values of TOON: bare where that is unambiguous and quoted otherwise. */

export type Scalar = string | number | boolean | null;

const SPACE = 0x20;

/** What is remarkable about a character of a value. */
const NEEDS_QUOTES = 1;
const NEEDS_ESCAPE = 2;
const MAY_MISLEAD = 4;
const MAY_BE_HALF = 8;

/** A mark for every character there is, so that looking one up is all that it takes. */
const marks = new Uint8Array(0x10000);
for (let code = 0; code < 0x80; code += 1) {
  const character = String.fromCharCode(code);
  if (/[,:[\]{}]/.test(character)) marks[code] = NEEDS_QUOTES;
  if (code < SPACE || /["\\]/.test(character)) marks[code] = NEEDS_QUOTES | NEEDS_ESCAPE;
  if (/[ #+\-\dtfn]/.test(character)) marks[code] = MAY_MISLEAD;
}
marks.fill(MAY_BE_HALF, 0xd800, 0xe000);

export function scalarText(value: Scalar): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  return String(value);
}

/** Most of the time of a document is spent here, and a regular expression would take several times as long. */
function stringText(text: string): string {
  let found = 0;
  for (let index = 0; index < text.length; index += 1) found |= marks[text.charCodeAt(index)] as number;
  if (found & MAY_BE_HALF) refuseHalves(text);
  if (found & NEEDS_ESCAPE) return quoted(escaped(text));
  return found & NEEDS_QUOTES || misleads(text) ? quoted(text) : text;
}

const MISLEADING = /^(?:[ #-].*|true|false|null|\+?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Whether bare text would be taken for something else than its characters. */
function misleads(text: string): boolean {
  if (text === '' || text.charCodeAt(text.length - 1) === SPACE) return true;
  return marks[text.charCodeAt(0)] === MAY_MISLEAD && MISLEADING.test(text);
}

export function keyText(key: string): string {
  if (/^[A-Za-z_][\w.]*$/.test(key)) return key;
  refuseHalves(key);
  return quoted(escaped(key));
}

/** The bytes of an answer could not say them. */
function refuseHalves(text: string): void {
  if (!text.isWellFormed()) throw new TypeError('TOON cannot say half of a surrogate pair.');
}

/** At the start of a document a byte order mark would be taken for its own. */
export function rootText(value: Scalar): string {
  const text = scalarText(value);
  return text.startsWith('\ufeff') ? quoted(text) : text;
}

const quoted = (text: string) => `"${text}"`;

const SHORT_ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that cannot stand for themselves.
  return text.replace(/[\u0000-\u001f"\\]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return SHORT_ESCAPES[character] ?? `\\u${code}`;
  });
}
