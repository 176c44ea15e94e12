import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress, mayDial } from '../../../../src/kernel/addresses.ts';

/** Worked out with whole numbers, and written down a second time, from the registries. */
const NOT_PUBLIC_IPV4 = [
  '0/8 10/8 100.64/10 127/8 168.63.129.16/32 169.254/16 172.16/12 192.0.0/24 192.0.2/24 192.31.196/24 192.52.193/24',
  '192.88.99/24 192.168/16 192.175.48/24 198.18/15 198.51.100/24 203.0.113/24 224/4 240/4 255.255.255.255/32',
]
  .join(' ')
  .split(' ')
  .map((text) => {
    const [network = '', prefix = ''] = text.split('/');
    const bytes = [...network.split('.'), '0', '0', '0'].slice(0, 4);
    return { first: toNumber(bytes.join('.')), size: 2 ** (32 - Number(prefix)) };
  });

function toNumber(dotted: string): number {
  return dotted.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

const toDotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const isSpecial = (value: number) =>
  NOT_PUBLIC_IPV4.some(({ first, size }) => value >= first && value < first + size);

const anyIpv4 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
/** The first and the last of a range, and their neighbours outside. */
const edgeIpv4 = fc
  .record({
    range: fc.constantFrom(...NOT_PUBLIC_IPV4),
    offset: fc.constantFrom(-1, 0, 1),
    isEnd: fc.boolean(),
  })
  .map(({ range, offset, isEnd }) => range.first + (isEnd ? range.size - 1 : 0) + offset)
  .filter((value) => value >= 0 && value < 2 ** 32);
const specialIpv4 = fc
  .record({ range: fc.constantFrom(...NOT_PUBLIC_IPV4), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ range, share }) => range.first + Math.floor(share * (range.size - 1)));

const hextets = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

test('IPv4 is public outside the special ranges and nowhere else, to the address', () => {
  fc.assert(
    fc.property(fc.oneof(anyIpv4, edgeIpv4, specialIpv4), (value) => {
      assert.equal(isPublicAddress(toDotted(value)), !isSpecial(value), toDotted(value));
    }),
    { numRuns: 20_000 },
  );
});

test('no IPv6 address that carries an IPv4 address is public, not even a public one', () => {
  fc.assert(
    fc.property(fc.oneof(anyIpv4, specialIpv4), (value) => {
      const dotted = toDotted(value);
      const words = hextets(value);
      const inverted = hextets(~value >>> 0);
      const carriers = [
        `::ffff:${dotted}`,
        `::ffff:${words}`,
        `::ffff:0:${words}`,
        `::${dotted}`,
        `::${words}`,
        `64:ff9b::${dotted}`,
        `64:ff9b:1::${words}`,
        `2002:${words}::1`,
        `2001:0:4136:e378:8000:63bf:${inverted}`,
        `fe80::5efe:${dotted}`,
      ];
      for (const address of carriers) assert.equal(isPublicAddress(address), false, address);
    }),
    { numRuns: 2_000 },
  );
});

test('IPv6 is public where addresses are given out', () => {
  const isPublic = [
    '2001:200::1',
    '2001:4860:4860::8888',
    '2400::1',
    '2606:4700::1111',
    '2a00:1450::1',
    '2003::1',
  ];
  for (const address of isPublic) assert.equal(isPublicAddress(address), true, address);
  const isNot = [
    ...['::', '::1', '1::1', '100::1', '1fff:ffff::1', '4000::1', '5f00::1', 'fc00::1', 'fd12::1', 'fe80::1'],
    ...['fec0::1', 'ff02::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
    ...['2001:db8::1', '2002::1', '2620:4f:8000::1', '3ffe::1', '3fff::1', '3fff:fff:ffff::1'],
  ];
  for (const address of isNot) assert.equal(isPublicAddress(address), false, address);
});

test('what is no plain address is neither public nor loopback', () => {
  const odd = ['', ' ', 'localhost', '8.8.8', '8.8.8.8.', ' 8.8.8.8', '08.8.8.8', '134744072', '0x8.8.8.8'];
  for (const text of [...odd, '[2606:4700::1]', '2606:4700::1%eth0', '::1%lo', 'fe80::1%1', '8.8.8.8%lo']) {
    assert.equal(isPublicAddress(text), false, text);
    assert.equal(isLoopbackAddress(text), false, text);
  }
});

test('loopback is 127.0.0.0/8 and ::1, and no other way to get there', () => {
  for (const address of ['127.0.0.1', '127.255.255.255', '127.0.0.0', '::1', '0:0:0:0:0:0:0:1'])
    assert.equal(isLoopbackAddress(address), true, address);
  for (const address of [
    '126.255.255.255',
    '128.0.0.0',
    '0.0.0.0',
    '::',
    '::2',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
  ])
    assert.equal(isLoopbackAddress(address), false, address);
});

test('loopback is dialled only where that is allowed, and nothing else is dialled without encryption', () => {
  const rules = (address: string) =>
    [false, true].flatMap((allowLoopback) =>
      ['https:', 'http:'].map((protocol) => mayDial(address, { protocol, allowLoopback })),
    );
  assert.deepEqual(rules('127.0.0.1'), [false, false, true, true]);
  assert.deepEqual(rules('8.8.8.8'), [true, false, true, false]);
  assert.deepEqual(rules('10.0.0.1'), [false, false, false, false]);
  assert.deepEqual(rules('169.254.169.254'), [false, false, false, false]);
});
