import { expect, it } from 'vitest';
import { createHostResolver } from './create-host-resolver.ts';

const names: Record<string, string[]> = {
  'bn.example.com': ['2600:1f00::2', '8.8.8.8', '1.1.1.1'],
  'inside.example.com': ['8.8.8.8', '10.1.2.3'],
  'metadata.example.com': ['169.254.169.254'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'here.example.com': ['127.0.0.1'],
  'nothing.example.com': [],
};
const resolverWith = (trustedHosts: string[] = []) =>
  createHostResolver({
    trustedHosts,
    timeoutMs: 50,
    lookUp: (host) =>
      host === 'late.example.com'
        ? new Promise(() => {})
        : Promise.resolve(names[host] ?? Promise.reject(new Error(`${host} is unknown`))),
  });

it('gives public addresses in a fixed order', async () => {
  const resolver = await resolverWith();
  expect(await resolver.resolve('bn.example.com')).toEqual(['1.1.1.1', '2600:1f00::2', '8.8.8.8']);
  expect(await resolver.resolve('8.8.4.4')).toEqual(['8.8.4.4']);
  expect(await resolver.resolve('2600:1f00:0:0:0:0:0:2')).toEqual(['2600:1f00::2']);
});

it.each([
  ['127.0.0.1', '127.0.0.1 is not a public address'],
  ['10.0.0.1', '10.0.0.1 is not a public address'],
  ['169.254.169.254', 'is not a public address'],
  ['0:0:0:0:0:0:0:1', 'is not a public address'],
  ['0:0:0:0:0:ffff:a00:1', 'is not a public address'],
  ['fe80:0:0:0:0:0:0:1', 'is not a public address'],
  ['inside.example.com', 'inside.example.com (10.1.2.3) is not a public address'],
  ['metadata.example.com', 'metadata.example.com (169.254.169.254) is not a public address'],
  ['mapped.example.com', 'is not a public address'],
  ['nothing.example.com', 'nothing.example.com has no address'],
  ['late.example.com', 'late.example.com is not resolved in time'],
  ['other.example.com', 'other.example.com is unknown'],
])('refuses %s', async (host, error) => {
  await expect((await resolverWith()).resolve(host)).rejects.toThrow(error);
});

it('what lies beside a host that was named is allowed, and nothing else', async () => {
  const resolver = await resolverWith(['10.1.2.200', '::1', 'here.example.com', 'other.example.com', '8.8.8.8']);
  for (const host of ['10.1.2.3', 'inside.example.com', '0:0:0:0:0:0:0:1', '127.0.0.9']) await resolver.resolve(host);
  for (const host of ['10.1.3.3', '0:0:0:0:0:0:0:0', '0:0:0:0:0:ffff:a01:203', 'metadata.example.com', '127.0.1.1'])
    await expect(resolver.resolve(host)).rejects.toThrow('is not a public address');
});
