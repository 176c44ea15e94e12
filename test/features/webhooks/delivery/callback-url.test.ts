import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCallbackUrl } from '../../../../src/features/webhooks/subscriptions/callback-url.ts';
import { isLoopbackAddress, isPublicAddress } from '../../../../src/kernel/addresses.ts';

const read = (text: string) => readCallbackUrl(text, { allowLoopback: false });
const readAtHome = (text: string) => readCallbackUrl(text, { allowLoopback: true });
const assertRefused = (texts: string[], how = read) => {
  for (const text of texts) assert.equal(how(text), undefined, JSON.stringify(text));
};

test('an address is kept as it was given, and known by its plain form', () => {
  const forms: [string, string][] = [
    ['https://hooks.example', 'https://hooks.example/'],
    ['HTTPS://Hooks.Example:443/A?b=C', 'https://hooks.example/A?b=C'],
    ['https://hooks.example:8443/a', 'https://hooks.example:8443/a'],
    ['https://hooks.example/x/../%7euser/%2fb?', 'https://hooks.example/~user/%2Fb'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
    ['https://[2606:4700::1111]:444/', 'https://[2606:4700::1111]:444/'],
    ['https://hooks.example/@10.0.0.1/', 'https://hooks.example/@10.0.0.1/'],
  ];
  for (const [text, address] of forms) assert.deepEqual(read(text), { url: text, address });
});

test('what is no absolute HTTPS address is refused', () => {
  assertRefused([
    '',
    'hooks',
    '/hooks',
    '//hooks.example/',
    'hooks.example',
    'https:',
    'https://',
    'https:///a',
  ]);
  assertRefused([
    'http://hooks.example/',
    'ftp://hooks.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ]);
  assertRefused([
    'https:hooks.example',
    'https:/hooks.example',
    'https:\\\\hooks.example',
    'https://a.example\\b',
  ]);
  assertRefused([
    ' https://a.example/',
    'https://a.example/ ',
    'https://a.ex\tample/',
    'https://a.example/\n',
  ]);
});

test('credentials, fragments, odd ports and odd hosts are refused', () => {
  assertRefused([
    'https://user@a.example/',
    'https://user:pass@a.example/',
    'https://@a.example/',
    'https://:@a.example/',
  ]);
  assertRefused(['https://a.example/#', 'https://a.example/#part', 'https://a.example#@8.8.8.8/']);
  assertRefused([
    'https://a.example:0/',
    'https://a.example:/',
    'https://a.example:00443/',
    'https://a.example:65536/',
  ]);
  assertRefused([
    'https://a.example./',
    'https://%61.example/',
    'https://bücher.example/',
    'https://a。example/',
  ]);
  assertRefused([`https://a.example/${'a'.repeat(2_048)}`, `https://a.example/?${"'".repeat(700)}`]);
});

test('an address literal is taken in its one spelling, and if it is public', () => {
  assertRefused([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://0.0.0.0/',
    'https://[::1]/',
  ]);
  assertRefused([
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
  ]);
  assertRefused([
    'https://134744072/',
    'https://0x8080808/',
    'https://010.8.8.8/',
    'https://8.8.2056/',
    'https://8.8.8.8./',
  ]);
  assertRefused([
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:808:808]/',
    'https://[64:ff9b::808:808]/',
    'https://[2002:808:808::]/',
  ]);
  assertRefused([
    'https://[fe80::1%25eth0]/',
    'https://[2606:4700:0:0::1111]/',
    'https://[::7f00:1]/',
    'https://[::]/',
  ]);
});

test('where loopback is allowed, http and loopback are, and nothing else is', () => {
  for (const text of [
    'http://127.0.0.1:8080/a',
    'http://localhost:80/',
    'https://127.8.9.10/',
    'http://[::1]:9/',
  ])
    assert.equal(readAtHome(text)?.url, text);
  assertRefused(
    ['http://10.0.0.1/', 'https://192.168.1.1/', 'http://169.254.169.254/', 'http://0.0.0.0/'],
    readAtHome,
  );
  assertRefused(
    ['http://8.8.8.8/', 'http://2130706433/', 'http://127.1/', 'http://[::ffff:7f00:1]/', 'ftp://127.0.0.1/'],
    readAtHome,
  );
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'https://',
        'http://',
        '127',
        '0x7f',
        '10',
        '8.8.8.8',
        '1',
        '0',
        '.',
        ':',
        '@',
        '/',
        '#',
        '?',
        '%',
      ),
      fc.constantFrom(
        'localhost',
        'a.example',
        '[',
        ']',
        '::',
        'ffff',
        '%2e',
        '%25',
        '。',
        '\\',
        '443',
        '\t',
        '&',
        '１',
      ),
      fc.string({ maxLength: 2 }),
    ),
    { maxLength: 10 },
  )
  .chain((parts) => fc.constantFrom(parts.join(''), `https://${parts.join('')}`));

test('whatever is read, its plain form is read as itself, and its host is a name or may be dialled', () => {
  let taken = 0;
  fc.assert(
    fc.property(soup, fc.boolean(), (text, allowLoopback) => {
      const found = readCallbackUrl(text, { allowLoopback });
      if (!found) return;
      taken += 1;
      assert.deepEqual(readCallbackUrl(found.address, { allowLoopback }), {
        url: found.address,
        address: found.address,
      });
      const url = new URL(found.url);
      assert.equal(url.username + url.password + url.hash, '');
      const host = url.hostname.replace(/[[\]]/g, '');
      if (isIP(host)) assert.ok(isPublicAddress(host) || (allowLoopback && isLoopbackAddress(host)), text);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(taken > 100, `Only ${taken} were read.`);
});
