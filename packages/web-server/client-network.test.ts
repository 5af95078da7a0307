import { expect, test } from 'vitest';
import { toClientNetwork } from './client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['not an address', 'not an address'],
])('%s counts as %s', (address, network) => {
  expect(toClientNetwork(address)).toBe(network);
});
