/** Ways to write an address so that somebody may take it for another one, or for none. */
import fc from 'fast-check';

const byte = fc.integer({ min: 0, max: 255 });

/** IPv4 addresses that nobody outside may be led to, but for loopback. */
export const insideAddress = fc
  .tuple(
    fc.constantFrom(
      [10],
      [172, 16],
      [192, 168],
      [169, 254],
      [100, 64],
      [0],
      [198, 18],
      [192, 0, 0],
      [224],
      [240],
    ),
    fc.oneof(fc.constant([0, 0, 0]), fc.constant([255, 255, 255]), fc.tuple(byte, byte, byte)),
  )
  .map(([network, rest]) => [...network, ...rest].slice(0, 4).join('.'));

const bytesOf = (dotted: string) => dotted.split('.').map(Number);
const hextetsOf = (dotted: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(dotted);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};
const invertedHextetsOf = (dotted: string) =>
  hextetsOf(
    bytesOf(dotted)
      .map((byte) => byte ^ 255)
      .join('.'),
  );

const radix = fc.constantFrom(
  (value: number) => String(value),
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `000${value.toString(8)}`,
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X00${value.toString(16).toUpperCase()}`,
);

/** One to four numbers, each in its own notation; the last one takes the bytes that are left. */
const numbers = (dotted: string) =>
  fc
    .record({ count: fc.integer({ min: 1, max: 4 }), notations: fc.tuple(radix, radix, radix, radix) })
    .map(({ count, notations }) => {
      const bytes = bytesOf(dotted);
      const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
      return [...bytes.slice(0, count - 1), rest].map((value, index) => notations[index]?.(value)).join('.');
    });

const inIpv6 = (dotted: string) => {
  const words = hextetsOf(dotted);
  const forms = [`::ffff:${dotted}`, `::ffff:${words}`, `::ffff:0:${words}`, `::${dotted}`, `::${words}`];
  forms.push(`64:ff9b::${dotted}`, `64:ff9b:1::${words}`, `2002:${words}::`, `2002:${words}::1`);
  forms.push(`2001:0:4136:e378:8000:63bf:${invertedHextetsOf(dotted)}`, `0:0:0:0:0:FFFF:${words}`);
  forms.push('fe80::1%25eth0', 'fc00::1', 'fd00:ec2::254', '::', `::ffff:${dotted}%25lo`, '2001:db8::1');
  return fc.constantFrom(...forms.map((form) => `[${form}]`));
};

/** The same letters and digits, in other clothes. */
const disguise = fc.constantFrom<(host: string) => string>(
  (host) => host,
  (host) => `${host}.`,
  (host) => host.toUpperCase(),
  (host) => host.replaceAll('.', '。'),
  (host) => host.replaceAll('.', '．'),
  (host) => host.replaceAll('.', '%2e'),
  (host) => host.replace(/[0-9]/g, (digit) => `%3${digit}`),
  (host) => host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (host) =>
    host.replace(/[0-9]/g, (digit) => (digit === '0' ? '0' : String.fromCodePoint(0x245f + Number(digit)))),
  (host) => host.replace('.', '\t.'),
  (host) => `\u00ad${host}`,
);

export const literalSpelling = (dotted: string) =>
  fc
    .tuple(fc.oneof(fc.constant(dotted), numbers(dotted), numbers(dotted), inIpv6(dotted)), disguise)
    .map(([host, dress]) => dress(host));

/** Around a host: what makes another part of an address look like it, or it like another part. */
export const urlAround = (host: string, port: number) =>
  fc.constantFrom(
    ...['http', 'https', 'HTTPS'].flatMap((scheme) => [
      `${scheme}://${host}:${port}/`,
      `${scheme}://${host}:${port}/hooks?a=b`,
      `${scheme}://${host}:0${port}/`,
      `${scheme}://hooks.example@${host}:${port}/`,
      `${scheme}://hooks.example:443@${host}:${port}/`,
      `${scheme}://hooks.example%40${host}:${port}/`,
      `${scheme}://${host}:${port}\\@hooks.example/`,
      `${scheme}://${host}:${port}#@hooks.example/`,
      `${scheme}://${host}:${port}?@hooks.example/`,
      `${scheme}:\\\\${host}:${port}\\`,
      `${scheme}:${host}:${port}`,
      `${scheme}:/${host}:${port}/`,
      `${scheme}:////${host}:${port}/`,
      ` ${scheme}://${host}:${port}/ `,
      `${scheme}:/\t/${host}:\n${port}/`,
    ]),
  );
