// Supply of a token: mint, burn, wipe.
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { toLong } from '../ledger/hapi-values.ts';
import type { Token } from '../ledger/ledger.ts';
import {
  type Execution,
  nftKey,
  ownedNft,
  positive,
  reject,
  relationKey,
  resolveAccount,
  type Status,
  usableRelation,
  usableToken,
} from './execution.ts';
import { signedBy } from './token-update.ts';

export function mintToken(x: Execution, data: proto.ITokenMintTransactionBody): void {
  const token = usableToken(x, data.token);
  signedBy(x, token, 'supply', 'TOKEN_HAS_NO_SUPPLY_KEY');
  const metadata = data.metadata ?? [];
  const amount = token.nonFungible ? BigInt(metadata.length) : positive(data.amount, 'INVALID_TOKEN_MINT_AMOUNT');
  if (amount === 0n) reject('INVALID_TOKEN_MINT_AMOUNT');
  if (token.maxSupply > 0n && token.totalSupply + amount > token.maxSupply) reject('TOKEN_MAX_SUPPLY_REACHED');
  if (token.nonFungible) {
    const serials = metadata.map((_, index) => token.nextSerial + BigInt(index));
    for (const serial of serials) {
      x.ledger.put('nfts', nftKey(token.id, serial), { token: token.id, serial, owner: token.treasury, spender: null });
      x.outcome.nftTransfers.push({ token: token.id, serial, sender: 0n, receiver: token.treasury, isApproval: false });
    }
    x.ledger.change('tokens', token.id, { nextSerial: token.nextSerial + amount });
    x.outcome.receipt.serialNumbers = serials.map(toLong);
  }
  changeSupply(x, token, token.treasury, amount, 'INVALID_TOKEN_MINT_AMOUNT');
}

export function burnToken(x: Execution, data: proto.ITokenBurnTransactionBody): void {
  const token = usableToken(x, data.token);
  signedBy(x, token, 'supply', 'TOKEN_HAS_NO_SUPPLY_KEY');
  const serials = (data.serialNumbers ?? []).map(toBigInt);
  for (const serial of serials) {
    if (x.ledger.tables.nfts.get(nftKey(token.id, serial))?.owner !== token.treasury)
      reject('TREASURY_MUST_OWN_BURNED_NFT');
  }
  remove(x, token, token.treasury, serials, toBigInt(data.amount), 'INVALID_TOKEN_BURN_AMOUNT');
}

export function wipeToken(x: Execution, data: proto.ITokenWipeAccountTransactionBody): void {
  const token = usableToken(x, data.token);
  signedBy(x, token, 'wipe', 'TOKEN_HAS_NO_WIPE_KEY');
  const account = resolveAccount(x, data.account);
  if (account === token.treasury) reject('CANNOT_WIPE_TOKEN_TREASURY_ACCOUNT');
  usableRelation(x, account, token);
  const serials = (data.serialNumbers ?? []).map(toBigInt);
  for (const serial of serials) {
    if (x.ledger.tables.nfts.get(nftKey(token.id, serial))?.owner !== account) reject('ACCOUNT_DOES_NOT_OWN_WIPED_NFT');
  }
  remove(x, token, account, serials, toBigInt(data.amount), 'INVALID_WIPING_AMOUNT');
}

function remove(x: Execution, token: Token, account: bigint, serials: bigint[], units: bigint, status: Status): void {
  if (token.nonFungible === (serials.length === 0) || units < 0n) reject(status);
  for (const serial of serials) {
    ownedNft(x, token, serial, account);
    x.ledger.remove('nfts', nftKey(token.id, serial));
    x.outcome.nftTransfers.push({ token: token.id, serial, sender: account, receiver: 0n, isApproval: false });
  }
  changeSupply(x, token, account, -(token.nonFungible ? BigInt(serials.length) : units), status);
}

function changeSupply(x: Execution, token: Token, account: bigint, amount: bigint, status: Status): void {
  const relation = x.ledger.tables.relations.get(relationKey(account, token.id));
  if (!relation) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
  if (relation.balance + amount < 0n) reject(status);
  const totalSupply = token.totalSupply + amount;
  if (totalSupply > 0x7fff_ffff_ffff_ffffn) reject(status);
  x.ledger.change('relations', relationKey(account, token.id), { balance: relation.balance + amount });
  x.ledger.change('tokens', token.id, { totalSupply });
  x.outcome.receipt.newTotalSupply = toLong(totalSupply);
}
