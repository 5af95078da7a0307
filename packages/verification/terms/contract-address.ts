// Addresses of contracts as callers write them: of a ledger also by id.

import { parseHexAddress } from '../../abi/checksum-address.ts';
import type { AddressForms } from '../../abi/parse-argument.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';

/**
 * 0x and 40 lower-case hex digits; null for anything else. `system`: the realm of a ledger whose contracts also have
 * ids. Ids of that realm, such as `0.0.N`, mean their long-zero address, which has neither shard nor realm: other ids
 * are null.
 */
export function parseContractAddress(text: string, system?: SystemRealm): string | null {
  const entity = system ? /^(\d{1,10})\.(\d{1,10})\.(\d{1,12})$/.exec(text) : null;
  if (system && entity) {
    const [shard, realm, num] = entity.slice(1).map(BigInt) as [bigint, bigint, bigint];
    if (shard !== system.shard || realm !== system.realm) return null;
    return `0x${num.toString(16).padStart(40, '0')}`;
  }
  return parseHexAddress(text);
}

/** Of arguments that are typed, where ids of the realm stand for addresses. */
export function ledgerAddresses(system: SystemRealm): AddressForms {
  return {
    described: '0x and 40 hex digits, or an id such as 0.0.1001',
    parse: (text) => parseContractAddress(text.replace(/^0X/, '0x'), system),
  };
}
