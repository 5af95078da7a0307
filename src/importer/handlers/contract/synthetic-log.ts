// Logs that no contract emitted: what token transfers and approvals outside of contracts would have logged were their
// token an ERC-20 or ERC-721 contract. The token is the emitter. Accounts stand in topics by their number, in
// transfers of fungible tokens by their own EVM address where they have one. What contracts caused is in their own logs:
// contract-transfer-log.ts has the exceptions.

import { toEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../../protocol/hapi/evm-address.ts';
import { type proto, toBigInt } from '../../../protocol/hapi/hapi.ts';
import { responseCode } from '../../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../protocol/hapi/transaction-types.ts';
import { assignSyntheticLogIndex, contractParent } from '../../rows/block-evm.ts';
import { hasFunctionResult, trimWord } from '../../rows/contract-facts.ts';
import { evmTransactionHash } from '../../rows/ethereum-hash.ts';
import type { BlockItem, HandlerContext } from '../handler.ts';
import { addContractTransferLogs } from './contract-transfer-log.ts';
import { matchTransfers, type Transfer } from './match-transfers.ts';
import { transferTopic } from './transfer-topic.ts';

export function addSyntheticLogs(item: BlockItem, context: HandlerContext): void {
  const { cryptoApproveAllowance, cryptoDeleteAllowance } = item.body;
  if (!item.record.tokenTransferLists?.length && !cryptoApproveAllowance && !cryptoDeleteAllowance) return;
  const cause = contractParent(item, context.evm) ?? (hasFunctionResult(item) ? item : null);
  if (cause !== null) {
    addContractTransferLogs(cause, context, transferLogs(item, context));
    return;
  }
  const logs = [...transferLogs(item, context), ...approvalLogs(item, context)];
  if (logs.length === 0) return;
  assignSyntheticLogIndex(item, context.evm);
  const transactionHash = evmTransactionHash(item, context.files);
  for (const { tokenId, transfer, topics, data } of logs) {
    context.rows.insert('contract_log', {
      bloom: noValue,
      consensus_timestamp: item.consensusTimestamp,
      contract_id: tokenId,
      data: data ?? noValue,
      index: context.evm.nextLogIndex,
      payer_account_id: item.payerAccountId,
      root_contract_id: tokenId,
      synthetic: transfer !== undefined,
      topic0: topics[0],
      topic1: topics[1],
      topic2: topics[2],
      topic3: topics[3] ?? null,
      transaction_hash: transactionHash,
      transaction_index: item.evmIndex,
    });
    context.evm.nextLogIndex += 1;
  }
}

type SyntheticLog = {
  tokenId: bigint;
  /** Of fungible tokens. Only these are marked as synthetic, as the other mirror marks them. */
  transfer?: Transfer;
  /** Without leading zeros; empty for no account. */
  topics: Uint8Array[];
  /** Without leading zeros, too; null for none. */
  data: Uint8Array | null;
};

const approvalTopic = Buffer.from('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925', 'hex');
const approvalForAllTopic = Buffer.from('17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31', 'hex');

/** How a bloom, and data that says nothing, is kept. None of these logs is in the block's bloom. */
const noValue = Buffer.of(0);

/** A dissociation from a deleted token is no transfer; a serial number of −1 stands for a change of treasury. */
function transferLogs(item: BlockItem, { lookup }: HandlerContext): SyntheticLog[] {
  const lists = item.record.tokenTransferLists;
  if (!lists || lists.length === 0 || item.type === typeNumber.tokenDissociate) return [];
  if (!item.successful && item.status !== responseCode.FAIL_INVALID) return [];
  const logs: SyntheticLog[] = [];
  /** By its own EVM address, where it has one. */
  const named = (id: bigint): Uint8Array => (id === 0n ? account(id) : trimWord(lookup.evmAddressOf(id)));
  for (const { token, transfers, nftTransfers } of lists) {
    const tokenId = toEntityId(token);
    const amounts = (transfers ?? []).map(({ accountID, amount }) => ({
      accountId: lookup.account(accountID),
      amount: toBigInt(amount),
    }));
    for (const transfer of matchTransfers(amounts)) {
      const topics = [transferTopic, named(transfer.senderId), named(transfer.receiverId)];
      logs.push({ tokenId, transfer, topics, data: word(transfer.amount) });
    }
    for (const { senderAccountID, receiverAccountID, serialNumber } of nftTransfers ?? []) {
      const serial = toBigInt(serialNumber);
      if (serial < 0n) continue;
      const parties = [account(lookup.account(senderAccountID)), account(lookup.account(receiverAccountID))];
      logs.push({ tokenId, topics: [transferTopic, ...parties, word(serial)], data: null });
    }
  }
  return logs;
}

function approvalLogs(item: BlockItem, context: HandlerContext): SyntheticLog[] {
  const { cryptoApproveAllowance, cryptoDeleteAllowance } = item.body;
  if (!item.successful) return [];
  const tokens = cryptoApproveAllowance?.tokenAllowances ?? [];
  const nfts = cryptoApproveAllowance?.nftAllowances ?? [];
  const removed = cryptoDeleteAllowance?.nftAllowances ?? [];
  const owner = (id: proto.IAccountID | null | undefined) =>
    account(id ? context.lookup.account(id) || item.payerAccountId : item.payerAccountId);
  const spender = (id: proto.IAccountID | null | undefined) => account(context.lookup.account(id));
  // Of approvals of the same thing the last one counts, and they are told from the last to the first.
  const given = new Set<string>();
  const isFirst = (log: SyntheticLog, ...key: (string | bigint | Uint8Array)[]): SyntheticLog[] => {
    const name = [log.tokenId, ...key.map(toText)].join();
    if (given.has(name)) return [];
    given.add(name);
    return [log];
  };
  const ofNfts = nfts.toReversed().flatMap((one): SyntheticLog[] => {
    const tokenId = toEntityId(one.tokenId);
    const parties = [owner(one.owner), spender(one.spender)];
    if (one.approvedForAll?.value === true) {
      // Covers the serial numbers that it names besides.
      for (const serial of one.serialNumbers ?? []) given.add([tokenId, 'serial', toBigInt(serial)].join());
    }
    const forAll = Buffer.of(one.approvedForAll?.value === true ? 1 : 0);
    return [
      ...(one.approvedForAll
        ? isFirst({ tokenId, topics: [approvalForAllTopic, ...parties], data: forAll }, 'all', ...parties)
        : []),
      ...(one.serialNumbers ?? []).flatMap((serial) => {
        const topics = [approvalTopic, ...parties, word(toBigInt(serial))];
        return isFirst({ tokenId, topics, data: null }, 'serial', toBigInt(serial));
      }),
    ];
  });
  const ofTokens = tokens.toReversed().flatMap((one) => {
    const parties = [owner(one.owner), spender(one.spender)];
    const topics = [approvalTopic, ...parties];
    return isFirst(
      { tokenId: toEntityId(one.tokenId), topics, data: word(toBigInt(one.amount)) },
      'amount',
      ...parties,
    );
  });
  return [
    ...ofNfts,
    ...ofTokens,
    ...removed.flatMap((one) =>
      (one.serialNumbers ?? []).map((serial) => ({
        tokenId: toEntityId(one.tokenId),
        topics: [approvalTopic, owner(one.owner), account(0n), word(toBigInt(serial))],
        data: null,
      })),
    ),
  ];
}

function toText(part: string | bigint | Uint8Array): string {
  return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : String(part);
}

/** By its number. */
function account(id: bigint): Uint8Array {
  return trimWord(toLongZeroAddress(id));
}

function word(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt.asIntN(64, value));
  return trimWord(bytes);
}
