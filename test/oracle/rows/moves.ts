// Transfers of any transaction type: hbar, tokens, NFTs, rewards, fees, and the allowances that permitted them.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import type { ExpectedRow } from './expected-tables.ts';
import { type Fact, type Known, nanosPerDay, orNull, tokenOf } from './fact.ts';
import { associate, endNfts } from './token-effects.ts';

type AddHbar = (id: bigint, amount: bigint, at: bigint) => void;

/** Also of failed transactions: the fee. */
export function moveHbar(fact: Fact, known: Known, add: AddHbar): void {
  const approved = (fact.body.cryptoTransfer?.transfers?.accountAmounts ?? []).filter(({ isApproval }) => isApproval);
  for (const { accountID, amount } of fact.record.transferList?.accountAmounts ?? []) {
    const id = known.account(accountID);
    const value = toBigInt(amount);
    known.tables.add('crypto_transfer', {
      amount: value,
      consensus_timestamp: fact.at,
      entity_id: id,
      is_approval:
        value < 0n && approved.some((one) => known.account(one.accountID) === id && toBigInt(one.amount) === value),
      payer_account_id: fact.payer,
    });
    add(id, value, fact.at);
  }
}

/** A payment moves the start of the staking period to yesterday, unless this block set it to that day or later. */
export function payRewards(fact: Fact, known: Known, startsOfBlock: Map<bigint, bigint>): void {
  const yesterday = fact.at / nanosPerDay - 1n;
  for (const { accountID, amount } of fact.record.paidStakingRewards ?? []) {
    const id = known.account(accountID);
    known.tables.add('staking_reward_transfer', {
      account_id: id,
      amount: toBigInt(amount),
      consensus_timestamp: fact.at,
      payer_account_id: fact.payer,
    });
    if ((startsOfBlock.get(id) ?? -2n) >= yesterday) continue;
    startsOfBlock.set(id, yesterday);
    known.tables.version('entity', `${id}`, fact.at, { stake_period_start: yesterday });
  }
}

/** The spender is the caller of the contract that made the transfer, else the payer. */
export function spendAllowances(fact: Fact, known: Known): void {
  const { cryptoTransfer } = fact.body;
  if (!cryptoTransfer) return;
  const result = fact.record.contractCallResult ?? fact.record.contractCreateResult;
  const spender = known.account(result?.senderId) || fact.payer;
  const spend = (table: string, name: string, one: proto.IAccountAmount): void => {
    if (!one.isApproval || toBigInt(one.amount) >= 0n) return;
    known.tables.amend(table, `${known.account(one.accountID)}:${spender}${name}`, (row) => ({
      ...row,
      amount: (row.amount as bigint) + toBigInt(one.amount),
    }));
  };
  for (const one of cryptoTransfer.transfers?.accountAmounts ?? []) spend('crypto_allowance', '', one);
  for (const { token, transfers } of cryptoTransfer.tokenTransfers ?? []) {
    for (const one of transfers ?? []) spend('token_allowance', `:${tokenOf(token)}`, one);
  }
}

/** Elements of the transaction's `nft_transfer`. */
export function moveTokens(fact: Fact, known: Known): ExpectedRow[] {
  if (!fact.successful && fact.status !== responseCode.FAIL_INVALID) return [];
  const { body, record } = fact;
  if (!body.tokenCreation) {
    for (const { accountId, tokenId } of record.automaticTokenAssociations ?? []) {
      associate(fact, known, known.account(accountId), tokenOf(tokenId), { automatic_association: true });
    }
  }
  const ended: ExpectedRow[] = [];
  const moved: ExpectedRow[] = [];
  for (const { token: tokenId, transfers, nftTransfers } of record.tokenTransferLists ?? []) {
    const token = tokenOf(tokenId);
    const leaves = Boolean(body.tokenDissociate) && transfers?.length === 1 && toBigInt(transfers[0]!.amount) < 0n;
    for (const { accountID, amount } of transfers ?? []) {
      const account = known.account(accountID);
      if (leaves) ended.push(...leaveDeletedToken(fact, known, token, account, toBigInt(amount)));
      else addTransfer(fact, known, token, account, toBigInt(amount));
    }
    for (const one of nftTransfers ?? []) moved.push(moveNft(fact, known, token, one));
  }
  return [...ended, ...moved];
}

function addTransfer(fact: Fact, known: Known, token: bigint, account: bigint, amount: bigint): void {
  const list = (fact.body.cryptoTransfer?.tokenTransfers ?? [])
    .filter((one) => tokenOf(one.token) === token)
    .flatMap(({ transfers }) => transfers ?? [])
    .filter((one) => known.account(one.accountID) === account);
  const exact = list.find((one) => toBigInt(one.amount) === amount);
  known.tables.add('token_transfer', {
    account_id: account,
    amount,
    consensus_timestamp: fact.at,
    is_approval: amount < 0n && (exact ? exact.isApproval === true : list.some(({ isApproval }) => isApproval)),
    payer_account_id: fact.payer,
    token_id: token,
  });
  addUnits(fact, known, token, account, amount);
}

function addUnits(fact: Fact, known: Known, token: bigint, account: bigint, amount: bigint): void {
  known.tables.amend('token_account', `${account}:${token}`, (row) => ({
    ...row,
    balance: (row.balance as bigint) + amount,
    balance_timestamp: fact.at,
  }));
}

function nftsOf(known: Known, token: bigint, owner: bigint): bigint[] {
  return known.tables
    .keys('nft')
    .filter((key) => key.startsWith(`${token}:`) && known.tables.latest('nft', key)!.account_id === owner)
    .map((key) => BigInt(key.split(':')[1]!));
}

/** The balance of a deleted token ends with its association. */
function leaveDeletedToken(fact: Fact, known: Known, token: bigint, account: bigint, amount: bigint): ExpectedRow[] {
  known.tables.amend('token', `${token}`, (row) => ({ ...row, total_supply: (row.total_supply as bigint) + amount }));
  addUnits(fact, known, token, account, amount);
  if (known.tables.latest('token', `${token}`)!.type === 'FUNGIBLE_COMMON') {
    known.tables.add('token_transfer', {
      account_id: account,
      amount,
      consensus_timestamp: fact.at,
      is_approval: false,
      payer_account_id: fact.payer,
      token_id: token,
    });
    return [];
  }
  const serials = nftsOf(known, token, account);
  endNfts(fact, known, serials, token);
  return serials
    .sort((a, b) => (a < b ? -1 : 1))
    .map((serial) => ({
      is_approval: false,
      receiver_account_id: null,
      sender_account_id: account,
      serial_number: serial,
      token_id: token,
    }));
}

function moveNft(fact: Fact, known: Known, token: bigint, one: proto.INftTransfer): ExpectedRow {
  const [sender, receiver] = [known.account(one.senderAccountID), known.account(one.receiverAccountID)];
  const serial = toBigInt(one.serialNumber);
  // −1: all that the old treasury has.
  const serials = serial === -1n ? nftsOf(known, token, sender) : [serial];
  for (const each of serials) {
    if (receiver !== 0n) {
      known.tables.version('nft', `${token}:${each}`, fact.at, {
        account_id: receiver,
        spender: null,
        delegating_spender: null,
      });
    }
    if (sender !== 0n) addUnits(fact, known, token, sender, -1n);
    if (receiver !== 0n) addUnits(fact, known, token, receiver, 1n);
  }
  return {
    is_approval: approvedInBody(fact, known, token, { serial, sender, receiver }),
    receiver_account_id: orNull(receiver),
    sender_account_id: orNull(sender),
    serial_number: serial,
    token_id: token,
  };
}

type NftMove = { serial: bigint; sender: bigint; receiver: bigint };

/** From the body of a transfer, for sender and receiver; a record may differ. */
function approvedInBody(fact: Fact, known: Known, token: bigint, { serial, sender, receiver }: NftMove): boolean {
  return (fact.body.cryptoTransfer?.tokenTransfers ?? [])
    .filter((list) => tokenOf(list.token) === token)
    .flatMap(({ nftTransfers }) => nftTransfers ?? [])
    .filter((one) => toBigInt(one.serialNumber) === serial && known.account(one.senderAccountID) === sender)
    .some((one) => one.isApproval && known.account(one.receiverAccountID) === receiver);
}

export function assessFees(fact: Fact, known: Known): void {
  if (!fact.successful) return;
  for (const fee of fact.record.assessedCustomFees ?? []) {
    known.tables.add('assessed_custom_fee', {
      amount: toBigInt(fee.amount),
      collector_account_id: known.account(fee.feeCollectorAccountId),
      consensus_timestamp: fact.at,
      effective_payer_account_ids: (fee.effectivePayerAccountId ?? []).map(known.account),
      payer_account_id: fact.payer,
      token_id: orNull(toEntityId(fee.tokenId)),
    });
  }
}
