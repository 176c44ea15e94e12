/** Pages, guides, files and whatever else is open to everyone, with paths and queries that try to leave their place. */
import type { Outcome } from '../../../test/abuse/support/target.ts';
import { encoded, hostileText } from '../requests/hostile-values.ts';
import type { Probe, ProbeSetting, Surface } from './probe.ts';

/** Where something follows that a caller chooses. */
const ROOTS = [
  ...[
    '/',
    '/docs',
    '/docs/',
    '/docs/guides',
    '/docs/agents',
    '/llms.txt',
    '/console',
    '/console/',
    '/problems',
  ],
  ...[
    '/console/files',
    '/console/files/',
    '/media/',
    '/feed/',
    '/waitlist/',
    '/payments/sandbox/',
    '/payments/',
  ],
  ...['/health/live', '/health/ready', '/metrics', '/openapi.json', '/openapi.manage.json', '/.well-known/'],
  ...['/connect/', '/connect/1/example/', '/static/', '/admin', '/.git/config', '/.env', '/manage', '/octo'],
];

const MARK = 'zygomark';
const ESCAPES = [
  ...[
    '../../../../etc/passwd',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/package.json',
    '....//package.json',
  ],
  ...['..\\..\\package.json', '%00', 'a%00.md', '%c0%ae%c0%ae/', '%ff', '%', '%zz', '//etc/passwd', ';/../x'],
  ...[
    `"><script>${MARK}</script>`,
    `'onload=${MARK}`,
    `javascript:${MARK}`,
    `{{${MARK}}}`,
    `<svg/onload=${MARK}>`,
  ],
  ...[
    'secret',
    'take',
    'leave',
    'index.html',
    '0'.repeat(64),
    'constructor',
    '__proto__',
    'main.ts',
    'app.css',
  ],
];

/** What no page of ours has in it: a file of the machine or of the project, or what was sent as markup. */
const LEAKS = [
  /root:x?:0:0/,
  /"devDependencies"/,
  /\[core\]\s+repositoryformatversion/,
  /BEGIN \w* ?PRIVATE KEY/,
];
const ECHOES = [
  new RegExp(`<script>${MARK}`),
  new RegExp(`<svg/onload=${MARK}`),
  new RegExp(`'onload=${MARK}`),
];

const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
const PARTS = 3;

export const pageSurface: Surface = {
  next(setting) {
    const { chances } = setting;
    const root = chances.pick(ROOTS);
    const isGood = chances.happens(0.2);
    const method = isGood ? 'GET' : chances.pick(METHODS);
    const path = isGood ? root : hostilePath(setting, root);
    const hasForm = method === 'POST' && chances.happens(0.7);
    const caller = chances.pick(setting.callers);
    const headers: Record<string, string> = {
      ...(chances.happens(0.3) && caller.headers),
      ...(chances.happens(0.5) && {
        accept: chances.pick(['text/html', 'application/json', 'text/html;q=0.1, */*']),
      }),
      ...(chances.happens(0.2) && {
        'accept-language': chances.pick(['de', 'fr;q=0.5', 'xx', '*', 'a'.repeat(900)]),
      }),
      ...(chances.happens(0.2) && {
        range: chances.pick(['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,5-9', 'x']),
      }),
      ...(hasForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return {
      name: `page ${root}`,
      caller: { ...caller, sight: 'nothing' },
      wire: { method, path, headers, body: hasForm ? formOf(setting) : undefined },
      isGood,
      isPage: true,
      faultsIn: (outcome) => faultsIn(outcome),
    } satisfies Probe;
  },
};

function hostilePath({ chances }: ProbeSetting, root: string): string {
  const part = () =>
    chances.happens(0.6)
      ? encodedLoosely(chances.pick(ESCAPES))
      : encoded(hostileText(chances).slice(0, 300));
  const parts = Array.from({ length: chances.below(PARTS) }, part);
  const query = chances.happens(0.4) ? `?q=${part()}&${part()}=${part()}` : '';
  const below = parts.length > 0 ? `${root.endsWith('/') ? '' : '/'}${parts.join('/')}` : '';
  return `${root}${below}${query}`;
}

/** What a careless program would send: only what a request line cannot have is encoded. */
const encodedLoosely = (text: string) => text.replaceAll(/[^\x21-\x7e]|[?#]/g, encodeURIComponent);

const formOf = ({ chances }: ProbeSetting) =>
  Buffer.from(chances.pick(['', 'answer=pay', 'answer=decline', `answer=${MARK}`, '&&&=', 'x'.repeat(2000)]));

const PAGE_TYPES = /^(?:text\/|application\/(?:json|problem\+json|openapi\+json|javascript)|image\/)/;

function faultsIn({ status, headers, text }: Outcome): string[] {
  const type = String(headers['content-type'] ?? '');
  const isHtml = type.startsWith('text/html');
  return [
    ...(text !== '' && !PAGE_TYPES.test(type) ? [`is of type ${type}`] : []),
    ...LEAKS.filter((pattern) => pattern.test(text)).map((pattern) => `shows a file: ${pattern}`),
    ...(isHtml
      ? ECHOES.filter((pattern) => pattern.test(text)).map((pattern) => `repeats markup: ${pattern}`)
      : []),
    ...(status >= 300 && status < 400 && /evil|etc\/passwd/.test(String(headers.location))
      ? ['leads elsewhere']
      : []),
  ];
}
