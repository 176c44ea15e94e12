/** Blocks that are not run with the others: why, and what holds them instead. Each is known by how it begins. */
export interface Excuse {
  document: string;
  begins: string;
  because: string;
}

const SNIPPETS = 'test/features/webhooks/example-snippets.test.ts runs it on what a node posts';

export const EXCUSED: readonly Excuse[] = [
  {
    document: 'README.md',
    begins: 'npm start\n',
    because: 'it does not return; test/faults/start.test.ts runs it',
  },
  {
    document: 'README.md',
    begins: 'npm run demo:remote\n',
    because: 'it does not return; test/demo/remote.test.ts runs it, and what it prints',
  },
  { document: 'README.md', begins: 'npm test\n', because: 'it is what runs this' },
  {
    document: 'docs/configuration.md',
    begins: 'create role',
    because: 'it makes a role of the whole server',
  },
  {
    document: 'docs/configuration.md',
    begins: 'DATABASE_URL=postgres://maitred:change-me@',
    because: 'there is no such host',
  },
  { document: 'CONTRIBUTING.md', begins: 'npm start ', because: 'it is what runs this' },
  {
    document: 'CONTRIBUTING.md',
    begins: 'node_modules/.bin/node --test',
    because: 'a server of its own takes too long; the test below looks for the file and the name',
  },
  {
    document: 'docs/agents.md',
    begins: 'import { Client, StreamableHTTPClientTransport',
    because: 'test/docs/agent-program.test.ts runs it',
  },
  {
    document: 'docs/agents.md',
    begins: '{\n  "mcpServers"',
    because: 'it is a file of other programs; its address and headers are those of the calls beside it',
  },
  {
    document: 'docs/backup.md',
    begins: 'DATA_DIR=/srv/maitred-restored',
    because: 'it makes a database outside of the test; test/db/backup.test.ts restores into one of its own',
  },
  { document: 'docs/backup.md', begins: 'pg_basebackup -h db.example', because: 'there is no such host' },
  {
    document: 'docs/cli.md',
    begins: 'npm pack ./clients/cli',
    because: 'it installs for all users; test/clients/packaging.test.ts installs it into a folder',
  },
  {
    document: 'docs/cli.md',
    begins: 'source <(maitred completion',
    because: 'sh has no such thing; test/clients/cli/commands.test.ts runs the script for bash',
  },
  {
    document: 'docs/client.md',
    begins: '',
    because: 'test/clients/typescript/examples.test.ts runs them all',
  },
  {
    document: 'docs/deploying.md',
    begins: '',
    because: 'it takes systemd, Docker or a cluster; npm run deploy:check and test/deploy try its files',
  },
  {
    document: 'docs/keys.md',
    begins: 'delete from signing_key;',
    because: 'the others need what it takes away; test/docs/lost-key.test.ts runs them',
  },
  {
    document: 'docs/operating.md',
    begins: 'DATABASE_URL=postgres://…',
    because: 'it has no address; docs/management.md runs the command',
  },
  {
    document: 'docs/operating.md',
    begins: 'PGPORT=',
    because: 'it takes psql, and a folder of an embedded server',
  },
  {
    document: 'docs/payments.md',
    begins: '{\n  "status": "pending"',
    because: 'test/features/payments/deposit-first.test.ts compares it with a booking',
  },
  { document: 'docs/webhooks.md', begins: 'npm start', because: 'this node runs' },
  {
    document: 'docs/webhooks.md',
    begins: '{\n  "eventType"',
    because: 'the test below compares it with an event',
  },
  { document: 'docs/webhooks.md', begins: 'import { createHmac', because: SNIPPETS },
  { document: 'docs/webhooks.md', begins: 'import base64', because: SNIPPETS },
];
