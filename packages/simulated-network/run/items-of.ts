// The items of a transaction in the stream: its own, and those of its children around it.

import { proto } from '../../protocol/hapi/hapi.ts';
import { encodeTransactionBody } from '../formats/encode-transaction.ts';
import type { ChildOutcome } from '../transactions/execution.ts';
import type { Done } from './call.ts';
import { encodeStreamItem, type RecordInput, type StreamItem } from './stream-item.ts';

export type ItemInput = Omit<RecordInput, keyof Done>;

export type Items = { item: StreamItem; all: StreamItem[] };

export function itemsOf(main: ItemInput, done: Done): Items {
  const { preceding, following } = done.outcome;
  const { consensusTimestamp: at, transactionId, parentConsensusTimestamp: parent } = main;
  const item = encodeStreamItem({ ...main, ...done });
  const before = preceding.map((child, index) =>
    encodeChild(child, { ...transactionId, nonce: index + 1 }, at - BigInt(preceding.length - index), parent),
  );
  const after = following.map((child, index) =>
    encodeChild(child, { ...transactionId, nonce: preceding.length + index + 1 }, at + BigInt(index + 1), at),
  );
  return { item, all: [...before, item, ...after] };
}

function encodeChild(
  child: ChildOutcome,
  transactionId: proto.ITransactionID,
  at: bigint,
  parent: bigint | null,
): StreamItem {
  const memo = child.memo ?? '';
  const body: proto.ITransactionBody = { transactionID: transactionId, memo, [child.kind]: child.data };
  const bodyBytes = encodeTransactionBody(body);
  return encodeStreamItem({
    kind: child.kind,
    status: child.status,
    consensusTimestamp: at,
    parentConsensusTimestamp: parent,
    signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes }).finish(),
    transactionId,
    memo,
    outcome: child.outcome,
    balances: { hbar: [], tokens: [] },
    fee: null,
    rewards: [],
    scheduleRef: null,
    rates: null,
  });
}
