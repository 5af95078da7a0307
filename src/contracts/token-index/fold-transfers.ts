// Transfers of a part of the ledger as changes of what addresses have.

import type { TokenLog } from '../../../packages/store/read/select-token-logs.ts';
import type { TokenChange } from '../../../packages/store/write/store-token-transfers.ts';
import { readTransfer, type TokenStandard } from './read-transfer.ts';

type HolderChange = { contractId: bigint; account: Buffer; change: bigint };
type SerialChange = HolderChange & { serialNumber: bigint; at: bigint };

export type TokenChanges = {
  /** `holders` is not known yet. */
  tokens: Map<bigint, TokenChange>;
  holders: HolderChange[];
  serials: SerialChange[];
};

/** `standardOf`: null = the contract is no token; undefined = it is no contract, and nothing is known of it. */
export function foldTransfers(
  logs: readonly TokenLog[],
  standardOf: (contractId: bigint) => TokenStandard | null | undefined,
): TokenChanges {
  const tokens = new Map<bigint, TokenChange>();
  const holders = new Map<string, HolderChange>();
  const serials = new Map<string, SerialChange>();
  for (const log of logs) {
    const { contractId, consensusTimestamp: at } = log;
    const standard = standardOf(contractId);
    const read = standard === undefined ? null : readTransfer(log);
    if (standard === undefined || read === null) continue;
    const token = tokens.get(contractId) ?? toToken(log, standard);
    tokens.set(contractId, token);
    token.lastTimestamp = at;
    if (read.standard !== standard) continue;
    token.transfers += 1n;
    token.isPartial ||= read.isCut;
    for (const { from, to, serialNumber, amount } of read.movements) {
      if (from !== null) move(contractId, from, serialNumber, -amount, at);
      if (to !== null) move(contractId, to, serialNumber, amount, at);
    }
  }
  return { tokens, holders: [...holders.values()], serials: [...serials.values()] };

  function move(contractId: bigint, account: Buffer, serialNumber: bigint | null, change: bigint, at: bigint): void {
    const key = `${contractId}-${account.toString('hex')}`;
    const holder = holders.get(key) ?? { contractId, account, change: 0n };
    holder.change += change;
    holders.set(key, holder);
    if (serialNumber === null) return;
    const keyOfSerial = `${key}-${serialNumber}`;
    const serial = serials.get(keyOfSerial) ?? { contractId, account, serialNumber, change: 0n, at };
    serial.change += change;
    serial.at = at;
    serials.set(keyOfSerial, serial);
  }
}

function toToken({ contractId, consensusTimestamp }: TokenLog, standard: TokenStandard | null): TokenChange {
  return {
    ...{ contractId, standard, transfers: 0n, holders: 0n, isPartial: false },
    ...{ firstTimestamp: consensusTimestamp, lastTimestamp: consensusTimestamp },
  };
}
