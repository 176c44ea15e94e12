/**
 * The address of a database may name several hosts, as in `postgres://user:password@a:5432,b:5432/maitred`. One of
 * them takes writes, and which one changes with a failover.
 */

const FORM = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/s;

/** Read by us and not by the driver, whose own check takes a standby for a host that can be written to. */
const ATTRIBUTE = 'target_session_attrs';

/** One address for each host, with the same user, password and database. */
export function addressesOf(url: string): string[] {
  const { start = '', hosts = '', rest = '' } = FORM.exec(url)?.groups ?? {};
  if (!start) return [url];
  return hosts.split(',').map((host) => withoutAttribute(`${start}${host}${rest}`));
}

/** What an address says of the hosts that are wanted, as in libpq; undefined: nothing. */
export function wantedSession(url: string): string | undefined {
  const [, query = ''] = url.split('?', 2);
  return new URLSearchParams(query).get(ATTRIBUTE) ?? undefined;
}

function withoutAttribute(address: string): string {
  if (!address.includes(ATTRIBUTE) || !URL.canParse(address)) return address;
  const url = new URL(address);
  url.searchParams.delete(ATTRIBUTE);
  return url.href;
}

/** Host and port only: the rest of an address holds the password. */
export function placeOf(url: string): string {
  return addressesOf(url)
    .map((address) => {
      const { hostname, port } = new URL(address);
      return `${hostname || 'localhost'}:${port || 5432}`;
    })
    .join(', ');
}
