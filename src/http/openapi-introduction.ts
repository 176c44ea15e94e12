/** What a developer should know before the first call; the reference page shows it above the operations. */
export const INTRODUCTION = `
Maitred stands between those who distribute restaurant tables and event tickets and the systems that venues run on. You call one interface, whatever is behind it. For those who run venues or the platform there is [a reference of its own](/docs/manage/).

## First call

Exchange your client credentials for an access token, which lasts an hour, and send it with every call:

\`\`\`sh
TOKEN=$(curl -s $MAITRED/oauth/token \\
  -d grant_type=client_credentials \\
  -d client_id=$CLIENT_ID \\
  -d client_secret=$CLIENT_SECRET \\
  -d audience=$AUDIENCE | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s "$MAITRED/venues?pageSize=3" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

An agent acts for a partner and says for which one in \`X-Partner-Reference\`, with every call.

## Ids

A venue id has three parts joined by \`|\`: the venue group, the system and the venue, as in \`1|house|soho-grill\`. The id of a product adds a fourth: \`1|house|soho-grill|dinner\`. Percent-encode them in paths (\`1%7Chouse%7Csoho-grill\`). The id of a listing is that of its venue or event; where a product belongs it is refused.

## Times

Timestamps are in UTC with exactly three digits of a second (\`2026-01-02T03:04:05.678Z\`), so they can be compared as text. Starts of bookings are local times with their offset.

## Problems

Whatever is refused is answered with \`application/problem+json\`. Its \`code\` is stable and decides what your program does, \`detail\` says what was wrong this time, and \`type\` is the address of [a page about the code](/problems). Where \`isRetryable\` is true the same request can succeed later: wait as long as \`Retry-After\` says. As a rule those are the codes with \`R\` in the middle.

A query parameter that an operation does not have is refused with \`VALID-N-001\`, which names the nearest one that it has. Headers that mean nothing here are passed over.

## Less of an answer

Reads take \`fields\`, a list of the members you want, with sub-fields in parentheses and to any depth: \`fields=id,name,products(compositeId,spaces(id))\`. Of each such answer there are two schemas: the whole one, and one that ends in \`Selection\` and requires nothing. Without \`fields\` you always get the whole.

## TOON

Send \`Accept: text/toon\` to get the same data as TOON, a text that names the fields of a list once. Whole answers are nested and cost a language model about 13 % more tokens as TOON than as JSON; flat lists cost about a quarter less. \`fields\` saves far more, so select first. Under \`/v1\` there is also \`application/vnd.service.toon+json\`, the same text inside a JSON object. Request bodies and problems are always JSON.

## Reading again

Reads of the catalogue carry an \`ETag\`; availability, bookings and orders, which are true only at the moment of asking, do not. Send it back in \`If-None-Match\` and you get 304 without a body while nothing has changed.

## Limits

Each client has a number of calls per window of 60 seconds. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix seconds) tell where you stand; one call too many is \`RATE-R-001\`.

## Growing

New members, codes and enumeration values can appear at any time. Ignore members you do not know, and treat an unknown code by its status and \`isRetryable\`.
`.trim();

/** The same for those who run venues or the platform. */
export const MANAGE_INTRODUCTION = `
What operators and the platform set up and look after: venues and what can be booked there, hours, layout, rules, bookings, people, partners and clients. What partners call has [a reference of its own](/docs/).

## Who calls

People sign in with \`POST /manage/sessions\` and send the session's token as \`Authorization: Bearer\`. Programs get an access token with \`POST /oauth/token\`, as partners do, and need the scope \`operator:write\` or \`platform:admin\`.

## Changing what you have read

Reads of one thing carry an \`ETag\`. Send it back as \`If-Match\` with the change: if it has changed meanwhile, you get 412 and nothing is changed. What you have read can be sent back with \`PUT\` as it is: fields that only Maitred sets are passed over, and refused with \`VALID-N-001\` where they differ from what is there. Every change is written down and can be read under \`/manage/operators/{operatorId}/audit\`.

Problems, TOON, limits and growth are as partners have them.
`.trim();
