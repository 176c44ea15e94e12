/**
 * `npm run mcp:conformance`: the official conformance suite of MCP against `/mcp`, written to `proof/MCP.md`. The suite
 * is larger than the service and no dependency of it: `npm install --no-save` brings it, or `MCP_CONFORMANCE` names
 * the folder that it is installed in.
 */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { startTestApp } from '../../test/support/app.ts';

const VERSION = '0.2.0-alpha.12';
const PACKAGE = '@modelcontextprotocol/conformance';
const folder = process.env.MCP_CONFORMANCE ?? join(import.meta.dirname, '..', '..');
const suite = join(folder, 'node_modules', PACKAGE, 'dist', 'index.js');
if (!existsSync(suite)) {
  console.error(`The suite is not there: npm install --no-save ${PACKAGE}@${VERSION}`);
  process.exit(1);
}

/** The suite sends no token of its own; everything else arrives as it was sent. */
function withToken(token: string, port: number) {
  return createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const outgoing = request(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, authorization: `Bearer ${token}` } },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
}

/** What a check is not about: this is a service with tools of its own, not the server that the suite comes with. */
const EXCUSES: { message: RegExp; why: string }[] = [
  {
    message: /test_|diagnostic tool|json_schema_2020_12_tool|No tools? with|InputRequiredResult/i,
    why: 'asks for a tool that only the server of the suite has',
  },
  {
    message: /(prompts|resources|completion|logging)\/.*(not found|-32601)|Method not found/i,
    why: 'asks for prompts, resources, completion or logging, which are not offered',
  },
  {
    message: /subscriptions?\/listen|subscription/i,
    why: 'asks for subscriptions; nothing changes while a node runs',
  },
];

interface Run {
  scenario: string;
  version: string;
  passed: number;
  excused: string[];
  failed: string[];
}

const VERSIONS = ['2026-07-28', '2025-11-25'];

async function runSuite(...args: string[]): Promise<string> {
  const options = { cwd: import.meta.dirname, maxBuffer: 2 ** 24 };
  // It ends with 1 where a check fails, and has printed all of them.
  const { stdout } = await promisify(execFile)(process.execPath, [suite, ...args], options).catch(
    (error: { stdout: string }) => error,
  );
  return stripVTControlCharacters(stdout);
}

async function listScenarios(version: string): Promise<string[]> {
  const lines = (await runSuite('list', '--server')).split('\n');
  return lines.flatMap((line) => {
    const [, name = '', versions = ''] = /- (\S+) \[(.*)\]/.exec(line) ?? [];
    return versions.split(',').includes(version) ? [name] : [];
  });
}

async function run(url: string, scenario: string, version: string): Promise<Run> {
  const args = ['--url', url, '--scenario', scenario, '--spec-version', version];
  const output = await runSuite('server', ...args);
  const passed = [...output.matchAll(/\] SUCCESS /g)].length;
  const errors = [...output.matchAll(/^ {4}Error: (.*)$/gm)].map(([, message = '']) => message);
  const excuses = errors.map((error) => EXCUSES.find(({ message }) => message.test(error))?.why);
  const isAboutNothingHere = passed === 0 && /\b0 failed/.test(output);
  if (isAboutNothingHere) excuses.push('is about sessions, or streams that last, of which there are none');
  else if (/\] SKIPPED /.test(output)) excuses.push('asks further where something is offered that is not');
  const isSilent = passed === 0 && excuses.length === 0;
  return {
    scenario,
    version,
    passed,
    excused: [...new Set(excuses.filter((why) => why !== undefined))],
    failed: isSilent
      ? ['the suite has said nothing']
      : errors.filter((_, index) => excuses[index] === undefined),
  };
}

const app = await startTestApp();
await app.app.listen({ port: 0, host: '127.0.0.1' });
const proxy = withToken(await app.token('demo-partner'), (app.app.server.address() as AddressInfo).port);
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;

const runs: Run[] = [];
for (const version of VERSIONS) {
  for (const scenario of await listScenarios(version)) {
    const result = await run(url, scenario, version);
    console.log(`${version} ${scenario}: ${verdictOf(result)}`);
    for (const error of result.failed) console.log(`  ${error}`);
    runs.push(result);
  }
}
proxy.close();
await app.close();
writeFileSync(join(import.meta.dirname, '..', 'MCP.md'), report(runs));
process.exitCode = runs.every(({ failed }) => failed.length === 0) ? 0 : 1;

function verdictOf({ passed, excused, failed }: Run): string {
  if (failed.length > 0) return '**failed**';
  if (excused.length === 0) return 'passed';
  return passed > 1 ? 'passed where it applies' : 'not applicable';
}

function report(all: readonly Run[]): string {
  const row = (result: Run) => {
    const { scenario, version, passed, excused } = result;
    return `| \`${scenario}\` | ${version} | ${verdictOf(result)} | ${passed} | ${excused.join('; ')} |`;
  };
  return `# Conformance with MCP

Written by \`npm run mcp:conformance\` with ${PACKAGE} ${VERSION}: every scenario for servers, in both versions of the protocol. A check that this service cannot be asked is not applicable, with the reason beside it. Of the scenarios about \`input-required\` results, those that pass do so without their tool; ours are tried in \`test/channels/mcp/bookings.test.ts\`.

| scenario | version | result | checks passed | not applicable because it |
| --- | --- | --- | --- | --- |
${all.map(row).join('\n')}
`;
}
