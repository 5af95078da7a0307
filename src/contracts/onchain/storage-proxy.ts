// Proxies that keep the address of their implementation, or of a beacon that knows it, in a slot of their own
// (ERC-1967).

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { fromHex, toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainContract } from '../../../packages/verification/terms/onchain-contract.ts';
import { selectStateSlots } from '../../store/read/state/select-state-slots.ts';

export type StorageProxy = {
  kind: 'eip1967' | 'eip1967-beacon';
  /** Of the implementation, or of the beacon; 0x and 40 lower-case hex digits. */
  address: string;
};

/** null = neither slot has an address. */
export async function readStorageProxy(
  db: Database,
  contract: OnchainContract,
  system: SystemRealm,
): Promise<StorageProxy | null> {
  const contractId = idOf(contract, system);
  if (contractId === null) return null;
  const rows = await selectStateSlots(
    db,
    Object.values(slots).map((slot) => ({ contractId, slot })),
  );
  for (const [kind, slot] of Object.entries(slots)) {
    const address = toAddress(rows.find((row) => row.slot.equals(slot))?.value ?? null);
    if (address !== null) return { kind: kind as StorageProxy['kind'], address };
  }
  return null;
}

/** The address in one slot of a contract; null = there is none. */
export async function readAddressSlot(
  db: Database,
  contract: OnchainContract,
  slot: Buffer,
  system: SystemRealm,
): Promise<string | null> {
  const contractId = idOf(contract, system);
  if (contractId === null) return null;
  const [row] = await selectStateSlots(db, [{ contractId, slot }]);
  return toAddress(row?.value ?? null);
}

/** https://eips.ethereum.org/EIPS/eip-1967 */
const slots = {
  eip1967: slotOf('eip1967.proxy.implementation'),
  'eip1967-beacon': slotOf('eip1967.proxy.beacon'),
};

/** 32 bytes each. */
export const proxySlots: readonly Buffer[] = Object.values(slots);

function slotOf(name: string): Buffer {
  const hash = BigInt(toHex(keccak256(Buffer.from(name))));
  return Buffer.from((hash - 1n).toString(16).padStart(64, '0'), 'hex');
}

/** Values are stored without leading zeros. */
function toAddress(value: Buffer | null): string | null {
  const digits = value?.toString('hex').replace(/^0+/, '') ?? '';
  return digits === '' || digits.length > 40 ? null : `0x${digits.padStart(40, '0')}`;
}

function idOf({ address, otherAddresses }: OnchainContract, system: SystemRealm): bigint | null {
  const longZero = [address, ...otherAddresses].map(fromHex).find(isLongZeroAddress);
  const num = longZero ? fromLongZeroAddress(longZero) : 0n;
  return num === 0n ? null : inRealm(num, system);
}
