// Reads a published stream from its files alone: items in order, each with its body and record.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { decodeTransactionItem } from '../../../packages/streams/record-stream/decode-transaction-item.ts';
import type { RecordFile } from '../../../packages/streams/record-stream/raw-record-file.ts';
import { readRecordFileV6 } from '../../../packages/streams/record-stream/record-file-v6.ts';
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';

export type ReadBlock = { name: string; file: RecordFile; items: TransactionItem[] };

export function readStream(folder: string, node = '0.0.3'): ReadBlock[] {
  const path = join(folder, 'recordstreams', `record${node}`);
  return readdirSync(path)
    .filter((name) => name.endsWith('.rcd.gz'))
    .sort()
    .map((name) => {
      const file = readRecordFileV6(gunzipSync(readFileSync(join(path, name))));
      return { name, file, items: file.items.map((item, index) => decodeTransactionItem(item, index).item) };
    });
}

/** The sums of the records' transfer lists. */
export type Holdings = {
  hbar: Map<bigint, bigint>;
  /** `account:token` → units; for NFTs their number. */
  tokens: Map<string, bigint>;
  /** `token:serial` → owner */
  nfts: Map<string, bigint>;
};

export function sumTransfers(blocks: readonly ReadBlock[]): Holdings {
  const holdings: Holdings = { hbar: new Map(), tokens: new Map(), nfts: new Map() };
  for (const { record } of blocks.flatMap(({ items }) => items)) {
    for (const { accountID, amount } of record.transferList?.accountAmounts ?? []) {
      add(holdings.hbar, toEntityId(accountID), toBigInt(amount));
    }
    for (const list of record.tokenTransferLists ?? []) applyTokens(holdings, list);
  }
  return holdings;
}

function applyTokens({ tokens, nfts }: Holdings, list: proto.ITokenTransferList): void {
  const token = toEntityId(list.token);
  for (const { accountID, amount } of list.transfers ?? [])
    add(tokens, `${toEntityId(accountID)}:${token}`, toBigInt(amount));
  for (const { senderAccountID, receiverAccountID, serialNumber } of list.nftTransfers ?? []) {
    const sender = toEntityId(senderAccountID);
    const receiver = toEntityId(receiverAccountID);
    const serial = toBigInt(serialNumber);
    // Serial −1: all that the old treasury has.
    const moved =
      serial === -1n
        ? [...nfts].filter(([key, owner]) => key.startsWith(`${token}:`) && owner === sender).map(([key]) => key)
        : [`${token}:${serial}`];
    for (const key of moved) {
      if (receiver === 0n) nfts.delete(key);
      else nfts.set(key, receiver);
    }
  }
}

function add<K>(sums: Map<K, bigint>, key: K, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
