/** `npm run connect-check -- URL [--token …]`: tries a server that speaks `connect`; ends with 1 if anything is wrong. */
import { parseArgs } from 'node:util';
import { checkServer } from '../src/tms/connect/check/check.ts';

const USAGE = 'npm run connect-check -- https://api.example.com/connect --token TOKEN';

function readArguments(): { url: string; token?: string } | undefined {
  try {
    const { values, positionals } = parseArgs({
      options: { token: { type: 'string' } },
      allowPositionals: true,
    });
    const [url] = positionals;
    if (positionals.length !== 1 || url === undefined || !/^https?:$/.test(new URL(url).protocol))
      return undefined;
    return { url, ...(values.token !== undefined && { token: values.token }) };
  } catch {
    return undefined;
  }
}

const given = readArguments();
if (!given) {
  console.error(USAGE);
  process.exit(1);
}
const findings = await checkServer({ ...given, progress: (line) => console.log(`${line} …`) });
console.log('');
for (const [index, finding] of findings.entries()) console.log(`${index + 1}. ${finding}`);
console.log(
  findings.length === 0
    ? 'Nothing is wrong.'
    : `\n${findings.length} to put right; docs/connect.md says how each call works.`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
