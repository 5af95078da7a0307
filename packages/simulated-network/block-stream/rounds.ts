// Rounds and events of the consensus: the items around transactions that show how nodes agreed on them, and
// transactions between nodes, which have no result. Invented, the same for the same block.

import { createHash } from 'node:crypto';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, encodeVarint, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { encodeTransactionBody } from '../formats/encode-transaction.ts';
import { accountId, duration, timestamp, toLong } from '../ledger/hapi-values.ts';
import { joinFields } from './message-fields.ts';

export type ConsensusNode = { nodeId: bigint; accountId: bigint };

export type Rounds = {
  /** Header of the next round. */
  begin(): BlockStreamItem;
  /** Headers of the next event of this round; the nodes take turns. */
  event(time: bigint): BlockStreamItem;
  /** A state signature of the node of the newest event; it never has a result. */
  stateSignature(): BlockStreamItem;
};

export const roundsPerBlock = 2n;
/** An event is born this long before the nodes agree on it. */
const birthDelayRounds = 3n;
const gossipDelayNs = 60_000_000n;

export function createRounds(blockNumber: bigint, nodes: readonly ConsensusNode[]): Rounds {
  let round = blockNumber * roundsPerBlock;
  let events = 0;
  const nodeOf = (event: number) => nodes[event % nodes.length]!;
  const bytesOf = (name: string) => createHash('sha384').update(`${name} of block ${blockNumber}`).digest();

  /** Parents in the block are named by their index, those before it by their hash. */
  function parents(): WireField[] {
    const ofNodes = [events - nodes.length, events - 1];
    return ofNodes.map((event) => {
      // An index of 0 is written: it is a member of a oneof.
      if (event >= 0) return messageField(2, [[Buffer.of(2 * 8), encodeVarint(BigInt(event))]]);
      const { nodeId } = nodeOf(event + nodes.length);
      const descriptor = [bytesField(1, bytesOf(`event ${event}`)), intField(2, nodeId), intField(3, round)];
      return messageField(2, [messageField(1, descriptor)]);
    });
  }

  return {
    begin: () => {
      round += 1n;
      return writeItem(itemKinds.roundHeader, joinFields([intField(1, round)]));
    },
    event: (time) => {
      const born = round > birthDelayRounds ? round - birthDelayRounds : 1n;
      const core = [
        intField(1, nodeOf(events).nodeId),
        intField(2, born),
        bytesField(3, toTimestampMessage(time > gossipDelayNs ? time - gossipDelayNs : time)),
      ];
      const header = [messageField(1, core), ...parents(), bytesField(3, bytesOf(`signature ${events}`))];
      events += 1;
      return writeItem(itemKinds.eventHeader, joinFields(header));
    },
    stateSignature: () => {
      const node = accountId(nodeOf(Math.max(0, events - 1)).accountId);
      const signature = bytesOf(`state signature ${events}`);
      const bodyBytes = encodeTransactionBody({
        transactionID: { accountID: node, transactionValidStart: timestamp(0n) },
        nodeAccountID: node,
        transactionValidDuration: duration(0n),
        stateSignatureTransaction: { round: toLong(round), signature, hash: bytesOf(`state ${round}`) },
      });
      const signed = proto.SignedTransaction.encode({ bodyBytes, sigMap: {} }).finish();
      return writeItem(itemKinds.signedTransaction, signed);
    },
  };
}
