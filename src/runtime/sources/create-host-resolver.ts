// Addresses of hosts that a ledger names. They could lead to addresses that only this machine may reach, such as a
// cloud's metadata service. So all addresses of such a host must be public, or lie beside a block node that the
// operator has named. The name is not resolved again for the connection.
import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import { isPublicAddress } from '../../../packages/kit/is-public-address.ts';
import { isSettledWithin } from '../../../packages/kit/is-settled-within.ts';

export type HostResolver = Awaited<ReturnType<typeof createHostResolver>>;

export type HostResolverOptions = {
  /** Hosts of the block nodes that the operator has named. */
  trustedHosts: readonly string[];
  timeoutMs: number;
  /** All addresses of a name. */
  lookUp?(host: string): Promise<string[]>;
};

const lookUpSystem = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export async function createHostResolver(options: HostResolverOptions) {
  const { trustedHosts, timeoutMs, lookUp = lookUpSystem } = options;

  async function addressesOf(host: string): Promise<string[]> {
    if (isIP(host)) return [toCanonical(host)];
    const found = lookUp(host);
    if (!(await isSettledWithin(found, timeoutMs))) throw new Error(`${host} is not resolved in time`);
    return (await found).map(toCanonical).toSorted();
  }

  // One that cannot be resolved has no neighbours; the import itself reports that it cannot be reached.
  const trusted = (await Promise.allSettled(trustedHosts.map(addressesOf))).flatMap((result) =>
    result.status === 'fulfilled' ? result.value : [],
  );
  const isAllowed = (address: string): boolean =>
    isPublicAddress(address) || trusted.some((other) => isBeside(address, other));

  return {
    /** In a fixed order. Throws an Error that says why the host cannot be used. */
    async resolve(host: string): Promise<string[]> {
      const addresses = await addressesOf(host);
      const hidden = addresses.find((address) => !isAllowed(address));
      if (hidden !== undefined)
        throw new Error(`${host === hidden ? host : `${host} (${hidden})`} is not a public address`);
      if (addresses.length === 0) throw new Error(`${host} has no address`);
      return addresses;
    },
  };
}

/** In one /24 of IPv4; for IPv6 the same address, since its networks differ in size. */
function isBeside(address: string, other: string): boolean {
  if (address === other) return true;
  if (!isIPv4(address) || !isIPv4(other)) return false;
  const network = (ip: string): string => ip.slice(0, ip.lastIndexOf('.'));
  return network(address) === network(other);
}

/** The canonical text of an address, for comparison. */
function toCanonical(address: string): string {
  return isIPv4(address) ? address : new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}
