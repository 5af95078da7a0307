// What a transaction's token transfers and approvals would have logged were each token an ERC-20 or ERC-721 contract.
// Accounts stand in topics by their number, in transfers of fungible tokens by their own EVM address where they have one.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../protocol/hapi/evm-address.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { trimWord } from './contract-facts.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';
import { matchTransfers } from './match-transfers.ts';

/** In the order of their logs. */
export function tokenEvents(item: BlockItem, context: HandlerContext): TokenEvent[] {
  return [...transferEvents(item, context), ...approvalEvents(item, context)];
}

export type TokenEvent = {
  tokenId: bigint;
  /** A transfer, mint or burn of a fungible token. */
  movesAmount?: true;
  /** Without leading zeros; empty for no account. */
  topics: Uint8Array[];
  /** Without leading zeros, too; null for none. */
  data: Uint8Array | null;
};

/** Transfer(address,address,uint256), which ERC-20 and ERC-721 have in common. */
const transferTopic = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');
const approvalTopic = Buffer.from('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925', 'hex');
const approvalForAllTopic = Buffer.from('17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31', 'hex');

/** A dissociation from a deleted token is no transfer; a serial number of −1 stands for a change of treasury. */
function transferEvents(item: BlockItem, { lookup }: HandlerContext): TokenEvent[] {
  const lists = item.record.tokenTransferLists;
  if (!lists || lists.length === 0 || item.type === typeNumber.tokenDissociate) return [];
  if (!item.successful && item.status !== responseCode.FAIL_INVALID) return [];
  const events: TokenEvent[] = [];
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
      events.push({ tokenId, movesAmount: true, topics, data: word(transfer.amount) });
    }
    for (const { senderAccountID, receiverAccountID, serialNumber } of nftTransfers ?? []) {
      const serial = toBigInt(serialNumber);
      if (serial < 0n) continue;
      const parties = [account(lookup.account(senderAccountID)), account(lookup.account(receiverAccountID))];
      const topics = [transferTopic, ...parties, word(serial)];
      events.push({ tokenId, topics, data: null });
    }
  }
  return events;
}

function approvalEvents(item: BlockItem, context: HandlerContext): TokenEvent[] {
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
  const isFirst = (event: TokenEvent, ...key: (string | bigint | Uint8Array)[]): TokenEvent[] => {
    const name = [event.tokenId, ...key.map(toText)].join();
    if (given.has(name)) return [];
    given.add(name);
    return [event];
  };
  const ofNfts = nfts.toReversed().flatMap((one): TokenEvent[] => {
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
