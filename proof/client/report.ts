/** Most of a round is waiting for as long as `Retry-After` says. */
export const AT_A_TIME = 128;

export interface Finding {
  name: string;
  what: string;
  rounds: number;
  /** Attempts that were sent again. */
  retries: number;
  /** Bookings that the service has, and of how many rounds. */
  listed: number;
  /** What is not as it should be. */
  wrong: string[];
  seconds: number;
}

export function bodyOf(all: readonly Finding[]): string {
  const wrong = all.flatMap(({ wrong: lines }) => lines);
  const rows = all.map(({ name, what, rounds: count, listed, retries, seconds }) => {
    return `| ${name} | ${what} | ${count} | ${listed} | ${retries} | ${seconds} |`;
  });
  return `
In each round the client makes a booking without a \`partnerBookingId\`, so that nothing but its \`Idempotency-Key\` stands between a lost answer and a second booking, and cancels it. The first attempt at either call fails as the table says, ${AT_A_TIME} rounds at a time; the faults of the node are those of \`X-Sandbox-Fault\`, the others are made by a proxy in front of it. For the token, the proxy puts one in place of the client's that the same service gave out two hours ago. In the end the bookings are listed: each round must have one, the one that the caller was told of, and cancelled. With the real limit the bookings stay.

**${wrong.length === 0 ? 'Every round has exactly one booking.' : `${wrong.length} contradictions.`}**

${wrong.map((line) => `- ${line}`).join('\n')}

| fault | what happens | rounds | bookings | retries | seconds |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

A token that is refused is renewed within the same attempt, and counts as no retry.`;
}
