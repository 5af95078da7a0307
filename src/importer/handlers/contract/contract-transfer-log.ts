// Transfers of fungible tokens that a contract caused. From HAPI 0.71 on the contract's own result has a log of each; before,
// only some of them had one, and the others get theirs here, under the transaction that ran in the EVM.

import type { proto } from '../../../protocol/hapi/hapi.ts';
import { addBloom } from '../../rows/block-evm.ts';
import { contractFunctionResult, isContractCallOrCreate } from '../../rows/contract-facts.ts';
import { evmTransactionHash } from '../../rows/ethereum-hash.ts';
import { isHapiAtLeast } from '../../rows/hapi-version.ts';
import type { BlockItem, HandlerContext } from '../handler.ts';
import type { Transfer } from './match-transfers.ts';
import { transferTopic } from './transfer-topic.ts';

type TransferLog = {
  tokenId: bigint;
  /** None for what is no transfer of a fungible token, and is passed over. */
  transfer?: Transfer;
  /** Without leading zeros. */
  topics: Uint8Array[];
  data: Uint8Array | null;
};

/** `cause`: what ran in the EVM, the transaction with the transfers itself or what caused it. */
export function addContractTransferLogs(cause: BlockItem, context: HandlerContext, logs: readonly TransferLog[]): void {
  if (logs.length === 0 || isHapiAtLeast(context.block, 0, 71, 0)) return;
  const { evm, lookup } = context;
  const told = evm.toldTransfers.get(cause) ?? readToldTransfers(cause, context);
  evm.toldTransfers.set(cause, told);
  const result = contractFunctionResult(cause.record);
  const rootContractId = isContractCallOrCreate(cause.type) ? cause.entityId : lookup.contract(result?.contractID);
  for (const { tokenId, transfer, topics, data } of logs) {
    if (!transfer) continue;
    const index = told.indexOf(nameOf(tokenId, transfer));
    if (index >= 0) {
      told.splice(index, 1);
      continue;
    }
    const bloom = evm.logBloom(lookup.evmAddressOf(tokenId), topics.map(toWord));
    context.rows.insert('contract_log', {
      bloom,
      consensus_timestamp: cause.consensusTimestamp,
      contract_id: tokenId,
      data,
      index: evm.nextLogIndex,
      payer_account_id: cause.payerAccountId,
      root_contract_id: rootContractId || null,
      synthetic: true,
      topic0: topics[0],
      topic1: topics[1],
      topic2: topics[2],
      topic3: null,
      transaction_hash: evmTransactionHash(cause, context.files),
      transaction_index: cause.evmIndex,
    });
    addBloom(evm, bloom);
    evm.nextLogIndex += 1;
  }
}

function nameOf(tokenId: bigint, { senderId, receiverId, amount }: Transfer): string {
  return `${tokenId}:${senderId}:${receiverId}:${amount}`;
}

/** Transfers that the result has a log of. */
function readToldTransfers(cause: BlockItem, { lookup }: HandlerContext): string[] {
  const accountOf = (topic: Uint8Array): bigint => lookup.byEvmAddress(Buffer.from(toWord(topic)).subarray(12));
  return (contractFunctionResult(cause.record)?.logInfo ?? []).flatMap((log: proto.IContractLoginfo) => {
    const [topic0, sender, receiver, ...others] = log.topic ?? [];
    if (!topic0 || !sender || !receiver || others.length > 0 || !transferTopic.equals(topic0)) return [];
    const amount = BigInt(`0x0${Buffer.from(log.data ?? []).toString('hex')}`);
    const tokenId = lookup.contract(log.contractID);
    return [nameOf(tokenId, { senderId: accountOf(sender), receiverId: accountOf(receiver), amount })];
  });
}

/** 32 bytes; of a longer topic the last ones. */
function toWord(topic: Uint8Array): Uint8Array {
  const word = Buffer.alloc(32);
  Buffer.from(topic.subarray(-32)).copy(word, 32 - Math.min(32, topic.length));
  return word;
}
