// Whether an IP address belongs to the public internet. Requests to other addresses could reach what only this machine
// may
// reach: its own services, its neighbours, the metadata service of a cloud.
import { BlockList, isIPv6 } from 'node:net';

export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return !special.check(bare, 'ipv4');
  const embedded = findEmbedded(bare);
  if (embedded !== null) return !special.check(embedded, 'ipv4');
  return globalUnicast.check(bare, 'ipv6') && !special.check(bare, 'ipv6');
}

// RFC 6890 and the IANA registries of special-purpose addresses.
const special = createList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Teredo, benchmarking, ORCHID and the like; documentation; 6to4, which leads to any IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** The only IPv6 addresses that are allocated. */
const globalUnicast = createList(['2000::/3']);

/** Forms of an IPv4 address within IPv6: mapped (::ffff:0:0/96), and translated (64:ff9b::/96, RFC 6052). */
const mapped = createList(['::ffff:0:0/96']);
const translated = createList(['64:ff9b::/96']);

function findEmbedded(address: string): string | null {
  // The address family of the text selects the rules: IPv4 rules must not apply to mapped addresses.
  if (!mapped.check(address, 'ipv6') && !translated.check(address, 'ipv6')) return null;
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(new URL(`http://[${address}]`).hostname.slice(1, -1));
  if (dotted) return dotted[1]!;
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high, low] = [groups.at(-2) || '0', groups.at(-1) || '0'].map((group) => Number.parseInt(group, 16));
  return [high! >> 8, high! & 255, low! >> 8, low! & 255].join('.');
}

function createList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [prefix, bits] = subnet.split('/') as [string, string];
    list.addSubnet(prefix, Number(bits), isIPv6(prefix) ? 'ipv6' : 'ipv4');
  }
  return list;
}
