/** `connect-check`: tries a server that speaks `connect`, as the gateway would use it. */
import { text } from 'node:stream/consumers';
import { defineCommand, UsageError } from '../command.ts';
import { printable } from '../output.ts';

export const connectCheck = defineCommand({
  name: 'connect-check',
  summary: 'Try a server that speaks connect, and list what is wrong with it',
  details: `It books, changes and cancels on that server, and removes what it has made. The token of the server comes
from CONNECT_TOKEN or, with --token-stdin, from stdin; it is never an argument. Ends with 1 if anything is wrong.`,
  arguments: [{ name: 'URL' }],
  options: { 'token-stdin': { type: 'boolean', about: 'Read the token from stdin' } },
  examples: [
    'CONNECT_TOKEN=$(pass show my-server) maitred connect-check https://api.example.com/connect',
    'pass show my-server | maitred connect-check https://api.example.com/connect --token-stdin',
  ],
  async run({ args: [url = ''], options }, { env, stdin, out }) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new UsageError('URL looks like https://api.example.com/connect.');
    const token = options['token-stdin'] ? (await text(stdin)).trim() : env.CONNECT_TOKEN;
    // Node has had Temporal since version 26 only, and no other command needs it.
    if (!('Temporal' in globalThis)) await import('temporal-polyfill/global');
    const { checkServer } = await import('../../../../src/tms/connect/check/check.ts');
    const findings = await checkServer({
      url,
      ...(token && { token }),
      progress: (line) => out.note(`${printable(line)} …`),
    });
    out.document({ url, findings }, () => {
      for (const [index, finding] of findings.entries()) out.line(`${index + 1}. ${printable(finding)}`);
      out.line(findings.length === 0 ? 'Nothing is wrong.' : `\n${findings.length} to put right.`);
    });
    if (findings.length > 0) process.exitCode = 1;
  },
});
