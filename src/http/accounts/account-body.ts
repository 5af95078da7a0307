// An account as the answer of accounts/{id}, its page of transactions included (reference: rest §2.1).

import { encodeBase32 } from '../../kit/base32.ts';
import type { Account, AccountBalance, LedgerTransaction } from '../../ledger/accounts/account.ts';
import { formatLinks } from '../parameters/next-link.ts';
import { formatTransaction } from '../transactions/transaction-body.ts';
import { formatHex } from '../values/hex-text.ts';
import {
  toJsonArray,
  toJsonBoolean,
  toJsonEntityId,
  toJsonInteger,
  toJsonLongZeroAddress,
  toJsonString,
  toJsonTimestamp,
} from '../values/json-text.ts';
import { toJsonKey } from '../values/key-text.ts';

export type AccountPage = {
  account: Account;
  transactions: readonly LedgerTransaction[];
  next: string | null;
  delegationAddress: boolean;
};

export function formatAccountBody({ account, transactions, next, delegationAddress }: AccountPage): string {
  const delegation = delegationAddress
    ? `"delegation_address":"${formatDelegationAddress(account.delegationAddress)}",`
    : '';
  const evmAddress = account.evmAddress ? `"${formatHex(account.evmAddress)}"` : toJsonLongZeroAddress(account.id);
  const alias = account.alias === null ? 'null' : `"${encodeBase32(account.alias)}"`;
  return `{"account":${toJsonEntityId(account.id)},"alias":${alias},"auto_renew_period":${toJsonInteger(account.autoRenewPeriod)},"balance":${formatBalance(account.balance)},"created_timestamp":${toJsonTimestamp(account.createdTimestamp)},"decline_reward":${account.declineReward},${delegation}"deleted":${toJsonBoolean(account.deleted)},"ethereum_nonce":${toJsonInteger(account.ethereumNonce)},"evm_address":${evmAddress},"expiry_timestamp":${toJsonTimestamp(account.expiryTimestamp)},"key":${toJsonKey(account.key)},"max_automatic_token_associations":${toJsonInteger(account.maxAutomaticTokenAssociations)},"memo":${toJsonString(account.memo)},"pending_reward":${account.pendingReward},"receiver_sig_required":${toJsonBoolean(account.receiverSigRequired)},"staked_account_id":${toJsonEntityId(account.stakedAccountId)},"staked_node_id":${toJsonInteger(account.stakedNodeId)},"stake_period_start":${toJsonTimestamp(account.stakePeriodStart)},"transactions":${toJsonArray(transactions, formatTransaction)},${formatLinks(next)}}`;
}

function formatBalance({ balance, timestamp, tokens }: AccountBalance): string {
  return `{"balance":${toJsonInteger(balance)},"timestamp":${toJsonTimestamp(timestamp)},"tokens":${toJsonArray(tokens, formatTokenBalance)}}`;
}

function formatTokenBalance({ tokenId, balance }: AccountBalance['tokens'][number]): string {
  return `{"token_id":${toJsonEntityId(tokenId)},"balance":${balance}}`;
}

/** The zero address means that nothing is delegated to. */
function formatDelegationAddress(address: Buffer | null): string {
  return address?.some((byte) => byte !== 0) ? formatHex(address) : '0x';
}
