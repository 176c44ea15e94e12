import type { Config } from './config.ts';

/** What the operator of a node that has just started needs to know; outside live that includes how to try it. */
export function bannerLines(config: Config, address: string): string[] {
  const lines = [`Listening on ${address} (${config.environment}, role ${config.role}).`];
  if (config.role === 'worker') return [...lines, `  health     ${address}/health/ready`];
  lines.push(
    `  API        ${config.publicUrl}`,
    `  reference  ${address}/docs`,
    `  OpenAPI    ${address}/openapi.json`,
    `  health     ${address}/health/ready`,
  );
  return config.environment === 'live' ? lines : [...lines, ...demoLines(config, address)];
}

function demoLines({ audience }: Config, address: string): string[] {
  return [
    '',
    'Demo clients (id, secret):',
    '  demo-partner   demo-partner-secret    a partner',
    '  other-partner  other-partner-secret   a partner that sees other venues',
    '  demo-agent     demo-agent-secret      an agent; send X-Partner-Reference: demo-partner',
    '  demo-operator  demo-operator-secret   operator 1',
    '  demo-admin     demo-admin-secret      the platform',
    '',
    'Try it:',
    `  TOKEN=$(curl -s ${address}/oauth/token -d grant_type=client_credentials \\`,
    `    -d client_id=demo-partner -d client_secret=demo-partner-secret -d 'audience=${audience}' \\`,
    `    | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
    `  curl -s '${address}/venues?pageSize=3' -H "Authorization: Bearer $TOKEN"`,
    '',
  ];
}
