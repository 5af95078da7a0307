// Transfers of hbar, tokens and NFTs in one transaction, with allowances, automatic creations and custom fees.
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { createByTransfer } from './crypto-account.ts';
import { chargeCustomFees } from './custom-fees.ts';
import {
  addHbar,
  addTokens,
  assertSigned,
  type Execution,
  livingAccount,
  moveNft,
  reject,
  resolveAccount,
  usableToken,
} from './execution.ts';
import { runHook } from './hooks.ts';

export function transferCrypto(x: Execution, data: proto.ICryptoTransferTransactionBody): void {
  const hbar = readAmounts(x, data.transfers?.accountAmounts ?? []);
  for (const entry of hbar) authorize(x, entry, null);
  for (const { account, amount } of hbar) addHbar(x, account, amount);

  for (const { account, hook } of hookCalls(data)) runHook(x, resolveAccount(x, account), hook);

  for (const list of data.tokenTransfers ?? []) {
    const token = usableToken(x, list.token);
    if (list.transfers?.length && list.nftTransfers?.length) reject('INVALID_ACCOUNT_AMOUNTS');
    if (list.transfers?.length) {
      const amounts = readAmounts(x, list.transfers);
      for (const entry of amounts) authorize(x, entry, token.id);
      // Debits first: an account that a token only passes through needs no balance.
      const ordered = [...amounts].sort((left, right) => Number(left.amount > 0n) - Number(right.amount > 0n));
      const adjusted = chargeCustomFees.fungible(x, token, ordered);
      for (const { account, amount } of adjusted) addTokens(x, account, token, amount);
    }
    for (const nft of list.nftTransfers ?? []) {
      const serial = toBigInt(nft.serialNumber);
      const sender = resolveAccount(x, nft.senderAccountID);
      const receiver = resolveOrCreate(x, nft.receiverAccountID);
      const hooked = Boolean(nft.preTxSenderAllowanceHook ?? nft.prePostTxSenderAllowanceHook);
      if (!hooked) authorizeNft(x, token.id, serial, sender, nft.isApproval ?? false);
      chargeCustomFees.nft(x, token, { sender, receiver, hbar });
      moveNft(x, token, serial, sender, receiver, nft.isApproval ?? false);
    }
  }
}

/** `hooked`: a hook of the account authorizes the debit. */
type Amount = { account: bigint; amount: bigint; isApproval: boolean; hooked: boolean };

function readAmounts(x: Execution, list: proto.IAccountAmount[]): Amount[] {
  const amounts = list.map((entry) => ({
    account: resolveOrCreate(x, entry.accountID),
    amount: toBigInt(entry.amount),
    isApproval: entry.isApproval ?? false,
    hooked: Boolean(entry.preTxAllowanceHook ?? entry.prePostTxAllowanceHook),
  }));
  if (amounts.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) reject('INVALID_ACCOUNT_AMOUNTS');
  if (new Set(amounts.map(({ account }) => account)).size !== amounts.length) {
    reject('ACCOUNT_REPEATED_IN_ACCOUNT_AMOUNTS');
  }
  return amounts;
}

type HookCall = { account: proto.IAccountID | null | undefined; hook: proto.IHookCall };

/** Pre-transfer hooks, then the first and second runs of pre-post hooks; each in the order of the lists. */
function hookCalls({ transfers, tokenTransfers }: proto.ICryptoTransferTransactionBody): HookCall[] {
  type Party = { account?: proto.IAccountID | null; before?: proto.IHookCall | null; around?: proto.IHookCall | null };
  const ofAmounts = (amounts: proto.IAccountAmount[] | null | undefined): Party[] =>
    (amounts ?? []).map(({ accountID, preTxAllowanceHook, prePostTxAllowanceHook }) => {
      return { account: accountID, before: preTxAllowanceHook, around: prePostTxAllowanceHook };
    });
  const ofNfts = (list: proto.INftTransfer[] | null | undefined): Party[] =>
    (list ?? []).flatMap((nft) => [
      {
        account: nft.senderAccountID,
        before: nft.preTxSenderAllowanceHook,
        around: nft.prePostTxSenderAllowanceHook,
      },
      {
        account: nft.receiverAccountID,
        before: nft.preTxReceiverAllowanceHook,
        around: nft.prePostTxReceiverAllowanceHook,
      },
    ]);
  const parties = [
    ...ofAmounts(transfers?.accountAmounts),
    ...(tokenTransfers ?? []).flatMap((list) => [...ofAmounts(list.transfers), ...ofNfts(list.nftTransfers)]),
  ];
  const calls = (when: 'before' | 'around') =>
    parties.flatMap(({ account, [when]: hook }): HookCall[] => (hook ? [{ account, hook }] : []));
  return [...calls('before'), ...calls('around'), ...calls('around')];
}

function resolveOrCreate(x: Execution, id: proto.IAccountID | null | undefined): bigint {
  const known = resolveAccount(x, id);
  if (known !== 0n) return known;
  if (!id?.alias?.length) reject('INVALID_ACCOUNT_ID');
  return createByTransfer(x, id.alias);
}

/**
 * Debits need the owner's signature, a hook, or an allowance of the payer; credits need the receiver's if it is
 * required.
 */
function authorize(x: Execution, { account: id, amount, isApproval, hooked }: Amount, token: bigint | null): void {
  if (hooked) return;
  const account = livingAccount(x, id);
  if (amount > 0n) {
    if (account.receiverSigRequired && id !== x.payer) assertSigned(x, account.key);
    return;
  }
  if (!isApproval) {
    if (id !== x.payer) assertSigned(x, account.key);
    return;
  }
  const key = token === null ? `${id}:${x.payer}` : `${id}:${x.payer}:${token}`;
  const allowance = x.ledger.tables.allowances.get(key);
  if (allowance === undefined) reject('SPENDER_DOES_NOT_HAVE_ALLOWANCE');
  if (allowance + amount < 0n) reject('AMOUNT_EXCEEDS_ALLOWANCE');
  x.ledger.put('allowances', key, allowance + amount);
}

function authorizeNft(x: Execution, token: bigint, serial: bigint, sender: bigint, isApproval: boolean): void {
  if (!isApproval) {
    if (sender !== x.payer) assertSigned(x, livingAccount(x, sender).key);
    return;
  }
  const all = x.ledger.tables.allowances.get(`${sender}:${x.payer}:${token}:all`);
  if (!all && x.ledger.tables.nfts.get(`${token}:${serial}`)?.spender !== x.payer)
    reject('SPENDER_DOES_NOT_HAVE_ALLOWANCE');
}
