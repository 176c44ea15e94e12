/** The first two calls of a developer, to be pasted into a terminal as they are. */
export interface FirstCalls {
  origin: string;
  clientId: string;
  /** Absent: the terminal has it in a variable. */
  secret?: string;
  audience: string;
}

/** The demo publishes the secret of its own client, and no other. */
export const demoSecretOf = (clientId: string) =>
  clientId === 'demo-partner' ? 'demo-partner-secret' : undefined;

/** For a shell: in single quotes, whatever is in it. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function tokenCall({ origin, clientId, secret, audience }: FirstCalls): string {
  const secretArgument =
    secret === undefined ? '"client_secret=$CLIENT_SECRET"' : quoted(`client_secret=${secret}`);
  return [
    `TOKEN=$(curl -sS ${quoted(`${origin}/oauth/token`)} \\`,
    `  -d grant_type=client_credentials -d ${quoted(`audience=${audience}`)} \\`,
    `  --data-urlencode ${quoted(`client_id=${clientId}`)} --data-urlencode ${secretArgument} \\`,
    `  | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
  ].join('\n');
}

export const venuesCall = ({ origin }: FirstCalls) =>
  `curl -sS ${quoted(`${origin}/venues?pageSize=3`)} -H "Authorization: Bearer $TOKEN"`;
