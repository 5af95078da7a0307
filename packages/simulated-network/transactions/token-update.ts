// Later changes of a token itself: properties, treasury, fee schedule, NFT metadata, pause, deletion.
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { emptyKeyList } from '../ledger/blank-account.ts';
import type { Token, TokenKeyName } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import {
  addRelation,
  assertSigned,
  type Execution,
  livingAccount,
  livingToken,
  nftKey,
  reject,
  relationKey,
  resolveAccount,
  type Status,
  usableToken,
} from './execution.ts';
import { readCustomFees, readTokenKeys } from './token-create.ts';

export function updateToken(x: Execution, data: proto.ITokenUpdateTransactionBody): void {
  const token = usableToken(x, data.token);
  const onlyMetadata = data.metadata && !data.name && !data.symbol && !data.treasury && !data.adminKey;
  if (onlyMetadata && token.keys.metadata) assertSigned(x, token.keys.metadata);
  else signedBy(x, token, 'admin', 'TOKEN_IS_IMMUTABLE');
  const keys: Token['keys'] = { ...token.keys, ...readTokenKeys(data) };
  for (const [name, key] of Object.entries(readTokenKeys(data)) as [TokenKeyName, Uint8Array][]) {
    if (!token.keys[name] && name !== 'admin') reject(missingKeyStatus[name]);
    // An empty key list removes the key for good.
    if (Buffer.compare(key, emptyKeyList) === 0) delete keys[name];
  }
  if (data.adminKey && keys.admin) assertSigned(x, encodeKey(data.adminKey));
  const changes: Partial<Token> = { keys };
  if (data.treasury) changes.treasury = moveTreasury(x, token, data.treasury);
  x.ledger.change('tokens', token.id, changes);
}

export function updateFeeSchedule(x: Execution, data: proto.ITokenFeeScheduleUpdateTransactionBody): void {
  const token = livingToken(x, data.tokenId);
  signedBy(x, token, 'feeSchedule', 'TOKEN_HAS_NO_FEE_SCHEDULE_KEY');
  const customFees = readCustomFees(data.customFees ?? [], token.id);
  if (customFees.length === 0 && token.customFees.length === 0) reject('CUSTOM_SCHEDULE_ALREADY_HAS_NO_FEES');
  for (const fee of customFees) {
    livingAccount(x, fee.collector, 'INVALID_CUSTOM_FEE_COLLECTOR');
    const collectsToken = fee.kind === 'fractional' ? token.id : fee.kind === 'fixed' ? fee.denominatingToken : null;
    if (collectsToken !== null && !x.ledger.tables.relations.has(relationKey(fee.collector, collectsToken))) {
      reject('TOKEN_NOT_ASSOCIATED_TO_FEE_COLLECTOR');
    }
  }
  x.ledger.change('tokens', token.id, { customFees });
}

export function updateNfts(x: Execution, data: proto.ITokenUpdateNftsTransactionBody): void {
  const token = usableToken(x, data.token);
  signedBy(x, token, 'metadata', 'TOKEN_HAS_NO_METADATA_KEY');
  for (const serial of data.serialNumbers ?? []) {
    if (!x.ledger.tables.nfts.has(nftKey(token.id, toBigInt(serial)))) reject('INVALID_NFT_ID');
  }
}

export function pauseToken(x: Execution, data: proto.ITokenPauseTransactionBody): void {
  setPaused(x, data.token, true);
}

export function unpauseToken(x: Execution, data: proto.ITokenUnpauseTransactionBody): void {
  setPaused(x, data.token, false);
}

export function deleteToken(x: Execution, data: proto.ITokenDeleteTransactionBody): void {
  const token = usableToken(x, data.token);
  signedBy(x, token, 'admin', 'TOKEN_IS_IMMUTABLE');
  x.ledger.change('tokens', token.id, { deleted: true });
}

const missingKeyStatus: Record<TokenKeyName, Status> = {
  admin: 'TOKEN_IS_IMMUTABLE',
  kyc: 'TOKEN_HAS_NO_KYC_KEY',
  freeze: 'TOKEN_HAS_NO_FREEZE_KEY',
  wipe: 'TOKEN_HAS_NO_WIPE_KEY',
  supply: 'TOKEN_HAS_NO_SUPPLY_KEY',
  feeSchedule: 'TOKEN_HAS_NO_FEE_SCHEDULE_KEY',
  pause: 'TOKEN_HAS_NO_PAUSE_KEY',
  metadata: 'TOKEN_HAS_NO_METADATA_KEY',
};

/** The token's key of that name must exist and have signed. */
export function signedBy(x: Execution, token: Token, name: TokenKeyName, status: Status): void {
  const key = token.keys[name];
  if (!key) reject(status);
  assertSigned(x, key);
}

function setPaused(x: Execution, id: proto.ITokenID | null | undefined, paused: boolean): void {
  const token = livingToken(x, id);
  signedBy(x, token, 'pause', 'TOKEN_HAS_NO_PAUSE_KEY');
  x.ledger.change('tokens', token.id, { paused });
}

/** A new treasury takes over what the old one held. All NFTs move with one wildcard transfer, serial −1. */
function moveTreasury(x: Execution, token: Token, id: proto.IAccountID): bigint {
  const next = livingAccount(x, resolveAccount(x, id), 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN');
  assertSigned(x, next.key);
  const old = x.ledger.tables.relations.get(relationKey(token.treasury, token.id))!;
  if (!x.ledger.tables.relations.has(relationKey(next.id, token.id))) {
    if (next.maxAutomaticAssociations === 0) reject('NO_REMAINING_AUTOMATIC_ASSOCIATIONS');
    addRelation(x, next.id, token, { automatic: true, trusted: true });
    x.ledger.change('accounts', next.id, { usedAutomaticAssociations: next.usedAutomaticAssociations + 1 });
    x.outcome.automaticAssociations.push({ token: token.id, account: next.id });
  }
  const held = x.ledger.tables.relations.get(relationKey(next.id, token.id))!;
  if (token.nonFungible && held.balance > 0n) reject('TRANSACTION_REQUIRES_ZERO_TOKEN_BALANCES');
  x.ledger.change('relations', relationKey(token.treasury, token.id), { balance: 0n });
  x.ledger.change('relations', relationKey(next.id, token.id), { balance: held.balance + old.balance });
  if (token.nonFungible && old.balance > 0n) {
    for (let serial = 1n; serial < token.nextSerial; serial++) {
      const nft = x.ledger.tables.nfts.get(nftKey(token.id, serial));
      if (nft?.owner === token.treasury) {
        x.ledger.change('nfts', nftKey(token.id, serial), { owner: next.id, spender: null });
      }
    }
    const all = { token: token.id, serial: -1n, sender: token.treasury, receiver: next.id, isApproval: false };
    x.outcome.nftTransfers.push(all);
  }
  return next.id;
}
