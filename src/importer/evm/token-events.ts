// The logs that a transaction's token transfers and approvals would have if each token were an ERC-20 or ERC-721
// contract. Topics name accounts by number, in transfers of fungible tokens by their own EVM address if they have one.

import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { trimWord } from '../columns/stored-values.ts';

/** In the order of their logs. */
export function tokenEvents(item: BlockItem, context: ItemContext): TokenEvent[] {
  const transfers = transferEvents(item, context);
  const { cryptoApproveAllowance, cryptoDeleteAllowance } = item.body;
  if (!cryptoApproveAllowance && !cryptoDeleteAllowance) return transfers;
  return [...transfers, ...approvalEvents(item, context)];
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

/** Transfer(address,address,uint256), the same in ERC-20 and ERC-721. */
const transferTopic = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');
const approvalTopic = Buffer.from('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925', 'hex');
const approvalForAllTopic = Buffer.from('17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31', 'hex');

/** A dissociation from a deleted token is no transfer; serial number −1 means a change of treasury. */
function transferEvents(item: BlockItem, { lookup }: ItemContext): TokenEvent[] {
  const lists = item.record.tokenTransferLists;
  if (!lists || lists.length === 0 || item.type === typeNumber.tokenDissociate) return [];
  if (!item.successful && item.status !== responseCode.FAIL_INVALID) return [];
  const events: TokenEvent[] = [];
  /** By its own EVM address, if it has one. */
  const named = (id: bigint): Uint8Array => (id === 0n ? account(id) : trimWord(lookup.evmAddressOf(id)));
  for (const { token, transfers, nftTransfers } of lists) {
    const tokenId = toEntityId(token);
    const amounts = (transfers ?? []).map(({ accountID, amount }) => ({
      accountId: lookup.account(accountID),
      amount: toBigInt(amount),
    }));
    for (const { senderId, receiverId, amount } of matchTransfers(amounts)) {
      const topics = [transferTopic, named(senderId), named(receiverId)];
      events.push({ tokenId, movesAmount: true, topics, data: word(amount) });
    }
    for (const { senderAccountID, receiverAccountID, serialNumber } of nftTransfers ?? []) {
      const serial = toBigInt(serialNumber);
      if (serial < 0n) continue;
      const parties = [account(lookup.account(senderAccountID)), account(lookup.account(receiverAccountID))];
      events.push({ tokenId, topics: [transferTopic, ...parties, word(serial)], data: null });
    }
  }
  return events;
}

/** The last one of several approvals of the same thing counts; events come from the last approval to the first. */
function approvalEvents({ body, payerAccountId, successful }: BlockItem, { lookup }: ItemContext): TokenEvent[] {
  const { cryptoApproveAllowance: approved, cryptoDeleteAllowance: removed } = body;
  if (!successful) return [];
  const events: TokenEvent[] = [];
  const owner = (id: proto.IAccountID | null | undefined) => account((id && lookup.account(id)) || payerAccountId);
  const given = new Set<string>();
  const addFirst = (event: TokenEvent, ...key: (string | bigint | Uint8Array)[]): void => {
    const name = [event.tokenId, ...key.map(toText)].join();
    if (!given.has(name)) events.push(event);
    given.add(name);
  };
  for (const one of approved?.nftAllowances?.toReversed() ?? []) {
    const tokenId = toEntityId(one.tokenId);
    const parties = [owner(one.owner), account(lookup.account(one.spender))];
    const serials = (one.serialNumbers ?? []).map(toBigInt);
    const isForAll = one.approvedForAll?.value === true;
    // Covers single serial numbers, too.
    if (isForAll) for (const serial of serials) given.add([tokenId, 'serial', serial].join());
    if (one.approvedForAll) {
      const topics = [approvalForAllTopic, ...parties];
      addFirst({ tokenId, topics, data: Buffer.of(isForAll ? 1 : 0) }, 'all', ...parties);
    }
    for (const serial of serials) {
      addFirst({ tokenId, topics: [approvalTopic, ...parties, word(serial)], data: null }, 'serial', serial);
    }
  }
  for (const one of approved?.tokenAllowances?.toReversed() ?? []) {
    const parties = [owner(one.owner), account(lookup.account(one.spender))];
    const event = { tokenId: toEntityId(one.tokenId), topics: [approvalTopic, ...parties] };
    addFirst({ ...event, data: word(toBigInt(one.amount)) }, 'amount', ...parties);
  }
  for (const one of removed?.nftAllowances ?? []) {
    const parties = [owner(one.owner), account(0n)];
    for (const serial of one.serialNumbers ?? []) {
      const topics = [approvalTopic, ...parties, word(toBigInt(serial))];
      events.push({ tokenId: toEntityId(one.tokenId), topics, data: null });
    }
  }
  return events;
}

type AccountAmount = { accountId: bigint; amount: bigint };
/** Account 0n means no account: tokens were minted or burned. */
type Transfer = { senderId: bigint; receiverId: bigint; amount: bigint };

/**
 * From gains and losses: the largest debit is matched with the largest credit, and so on; the rest was minted or
 * burned.
 */
export function matchTransfers(amounts: readonly AccountAmount[]): Transfer[] {
  const [one, other] = amounts;
  // From one account to another one, which is usual.
  if (amounts.length === 2 && one!.amount !== 0n && one!.amount === -other!.amount) {
    const [sender, receiver] = one!.amount < 0n ? [one!, other!] : [other!, one!];
    return [{ senderId: sender.accountId, receiverId: receiver.accountId, amount: receiver.amount }];
  }
  const senders = side(amounts, -1n);
  const receivers = side(amounts, 1n);
  const transfers: Transfer[] = [];
  let [from, to] = [0, 0];
  while (from < senders.length || to < receivers.length) {
    const sender = senders[from];
    const receiver = receivers[to];
    const amount = smaller(sender?.amount, receiver?.amount);
    transfers.push({ senderId: sender?.accountId ?? 0n, receiverId: receiver?.accountId ?? 0n, amount });
    if (sender) sender.amount -= amount;
    if (receiver) receiver.amount -= amount;
    if (sender?.amount === 0n) from += 1;
    if (receiver?.amount === 0n) to += 1;
  }
  return transfers;
}

/** Those with this sign, as positive amounts, largest first, then by account. */
function side(amounts: readonly AccountAmount[], sign: 1n | -1n): AccountAmount[] {
  return amounts
    .map(({ accountId, amount }) => ({ accountId, amount: amount * sign }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => compareBigints(b.amount, a.amount) || compareBigints(a.accountId, b.accountId));
}

function smaller(a: bigint | undefined, b: bigint | undefined): bigint {
  if (a === undefined) return b ?? 0n;
  return b === undefined || a < b ? a : b;
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
