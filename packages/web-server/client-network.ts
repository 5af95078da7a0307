// The address that identifies a client: its own, or with IPv6, where one client has many, its /64 network. Some proxies
// add the port, which differs for each connection.
import { isIPv6 } from 'node:net';

export function toClientNetwork(address: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(address) ?? [];
  const alone = inBrackets ?? beforePort ?? address;
  const bare = alone.split('%')[0]!;
  if (!isIPv6(bare)) return alone;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped) return mapped[1]!;
  // URL writes every form of an address as the same hexadecimal groups, with :: for zeros.
  const [left = '', right] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const groups = left === '' ? [] : left.split(':');
  if (right !== undefined) {
    const tail = right === '' ? [] : right.split(':');
    groups.push(...Array(8 - groups.length - tail.length).fill('0'), ...tail);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
