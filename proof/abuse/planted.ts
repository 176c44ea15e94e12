/** Everything secret that went over the wire: none of it may turn up in a log or in the database. */
export const PASSWORDS = [
  'correct horse battery zygomorph',
  'lanterns over zygomorphic water',
  'a zygomorphic orchid at midnight',
];

export type SecretKind =
  | 'client secret'
  | 'webhook secret'
  | 'session token'
  | 'access token'
  | 'password'
  | 'mailed token';

export interface Planted {
  note(kind: SecretKind, value: unknown): void;
  /** Looks through the body of an answer for what it hands over. */
  noteAll(body: unknown): void;
  byKind(): Map<SecretKind, ReadonlySet<string>>;
}

const KIND_OF_MEMBER: Record<string, SecretKind> = {
  secret: 'client secret',
  secretKey: 'webhook secret',
  token: 'session token',
  access_token: 'access token',
};

/** More of one kind would prove no more. */
const KEPT_OF_A_KIND = 3000;

export function createPlanted(): Planted {
  const kinds = new Map<SecretKind, Set<string>>([['password', new Set(PASSWORDS)]]);
  function note(kind: SecretKind, value: unknown): void {
    if (typeof value !== 'string' || value.length < 12) return;
    const values = kinds.getOrInsertComputed(kind, () => new Set());
    if (values.size < KEPT_OF_A_KIND) values.add(value);
  }
  return {
    note,
    noteAll(body) {
      if (typeof body !== 'object' || body === null) return;
      for (const [name, kind] of Object.entries(KIND_OF_MEMBER))
        note(kind, (body as Record<string, unknown>)[name]);
    },
    byKind: () => kinds,
  };
}
