import { SLUG } from './manage.ts';

/** Calls to copy, one after the other, each with a line that says what it shows. */
export function callsToTry({ node, system, token }: { node: string; system: string; token: string }): string {
  const day = Temporal.Now.plainDateISO('Europe/London').add({ days: 7 });
  const product = `1%7C${SLUG}%7Charbour-kitchen%7Cdinner`;
  const us = `-H "Authorization: Bearer $TOKEN"`;
  const venue = `-H 'Authorization: Bearer ${token}'`;
  const json = `-H 'Content-Type: application/json'`;
  const again = `curl -sS "${node}/venues/bookings/$ID?fields=status,time,partySize,lastUpdate" ${us}; echo`;
  return `
# A token for demo-partner.
TOKEN=$(curl -sS ${node}/oauth/token -u demo-partner:demo-partner-secret \\
  -d grant_type=client_credentials -d audience=maitred | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# What Harbour Kitchen has around 19:30, asked of its system at this moment.
curl -sS "${node}/venues/${product}/availability?date=${day}&partySize=2&time=19:30" ${us}; echo

# A booking. It is in the system before the answer is here.
ID=$(curl -sS ${node}/venues/${product}/booking ${us} ${json} \\
  -d '{"type": "book", "partySize": 2, "date": "${day}", "time": "19:30", "firstName": "Ada", "lastName": "Lovelace"}' \\
  | sed 's/^{"id":"\\([^"]*\\)".*/\\1/'); echo $ID

# What the venue sees on its own screen.
curl -sS ${system}/_demo/bookings ${venue}; echo

# The venue moves it to 20:30 there.
curl -sS ${system}/_demo/bookings/$ID ${venue} ${json} -d '{"time": "20:30"}'; echo

# Within seconds it is moved here, too.
sleep 3; ${again}

# The venue cancels it, and here it is cancelled.
curl -sS ${system}/_demo/bookings/$ID ${venue} ${json} -d '{"cancel": true}'
sleep 6; ${again}
`.trim();
}
