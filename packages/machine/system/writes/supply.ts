// Minting, burning, wiping; and the pause of a token.

import type { NftFacts, TokenFacts } from '../../state/ledger-facts.ts';
import type { World } from '../../state/world.ts';
import type { Context } from '../functions/function.ts';
import { relationOf } from '../functions/relations.ts';
import { supplyOf } from '../functions/supply.ts';
import { addToBalance, attempt, blocked, firstFailure, type Status, unusable } from './attempt.ts';
import { satisfiesKey } from './authority.ts';

const unsigned: Status = 'INVALID_FULL_PREFIX_SIGNATURE_FOR_PRECOMPILE';
const maxBatch = 10;
const maxMetadata = 100;
const maxSupply = (1n << 63n) - 1n;

export type Minted = { status: Status; supply: bigint; serials: readonly bigint[] };

const nothingMinted = (status: Status): Minted => ({ status, supply: 0n, serials: [] });

/** An amount, or NFTs where there is metadata. */
export function mint(num: bigint, amount: bigint, metadata: readonly Uint8Array[], context: Context): Minted {
  const { world } = context;
  const token = world.fact({ kind: 'token', token: num });
  const problem = unusable(token) ?? unsupplied(token!, context) ?? unmintable(token!, num, amount, metadata, world);
  if (problem !== null) return nothingMinted(problem);
  const count = metadata.length > 0 ? BigInt(metadata.length) : amount;
  const serials = token!.isFungible ? [] : mintNfts(num, token!, metadata, context);
  changeSupply(world, num, token!, token!.treasury, count);
  return { status: 'SUCCESS', supply: supplyOf(world, num, world.fact({ kind: 'token', token: num })!), serials };
}

function unmintable(
  token: TokenFacts,
  num: bigint,
  amount: bigint,
  metadata: readonly Uint8Array[],
  world: World,
): Status | null {
  if (token.isFungible && metadata.length > 0) return 'INVALID_TOKEN_MINT_AMOUNT';
  if (!token.isFungible && metadata.length === 0) return 'INVALID_TOKEN_MINT_METADATA';
  if (amount < 0n) return 'INVALID_TOKEN_MINT_AMOUNT';
  if (metadata.length > maxBatch) return 'BATCH_SIZE_LIMIT_EXCEEDED';
  if (metadata.some(({ length }) => length > maxMetadata)) return 'METADATA_TOO_LONG';
  const supply = supplyOf(world, num, token) + (token.isFungible ? amount : BigInt(metadata.length));
  if (token.isFinite && supply > token.maxSupply) return 'TOKEN_MAX_SUPPLY_REACHED';
  if (supply > maxSupply) return 'INVALID_TOKEN_MINT_AMOUNT';
  const relation = relationOf(world, num, token.treasury);
  return relation === null ? 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN' : blocked(relation);
}

function mintNfts(
  num: bigint,
  { treasury }: TokenFacts,
  metadata: readonly Uint8Array[],
  { world, block }: Context,
): bigint[] {
  const key = { kind: 'lastSerial', token: num } as const;
  const last = world.fact(key);
  const serials = metadata.map((_, index) => last + BigInt(index) + 1n);
  for (const [index, serial] of serials.entries()) {
    const created = block.timestamp * 1_000_000_000n;
    const nft: NftFacts = { owner: treasury, spender: null, created, metadata: metadata[index]! };
    world.setFact({ kind: 'nft', token: num, serial }, nft);
  }
  world.setFact(key, serials.at(-1)!);
  return serials;
}

function changeSupply(world: World, num: bigint, token: TokenFacts, account: bigint, amount: bigint): void {
  world.setFact({ kind: 'token', token: num }, { ...token, totalSupply: supplyOf(world, num, token) + amount });
  addToBalance(world, num, account, amount);
}

function unsupplied({ keys }: TokenFacts, context: Context): Status | null {
  if (keys.supply === null) return 'TOKEN_HAS_NO_SUPPLY_KEY';
  return satisfiesKey(keys.supply, context) ? null : unsigned;
}

export type Burned = { status: Status; supply: bigint };

/** From the treasury: an amount, or serials. */
export function burn(num: bigint, amount: bigint, serials: readonly bigint[], context: Context): Burned {
  const { world } = context;
  const token = world.fact({ kind: 'token', token: num });
  const problem = unusable(token) ?? unsupplied(token!, context);
  if (problem !== null) return { status: problem, supply: 0n };
  const status = takeAway(num, token!, token!.treasury, amount, serials, world, {
    amount: 'INVALID_TOKEN_BURN_AMOUNT',
    serials: 'INVALID_TOKEN_BURN_METADATA',
    owner: 'TREASURY_MUST_OWN_BURNED_NFT',
    relation: 'INVALID_TREASURY_ACCOUNT_FOR_TOKEN',
  });
  if (status !== 'SUCCESS') return { status, supply: 0n };
  return { status, supply: supplyOf(world, num, world.fact({ kind: 'token', token: num })!) };
}

/** From an account that is not the treasury. */
export function wipe(
  num: bigint,
  account: bigint | null,
  amount: bigint,
  serials: readonly bigint[],
  context: Context,
): Status {
  const { world } = context;
  const token = world.fact({ kind: 'token', token: num });
  const problem = unusable(token);
  if (problem !== null) return problem;
  if (token!.keys.wipe === null) return 'TOKEN_HAS_NO_WIPE_KEY';
  if (!satisfiesKey(token!.keys.wipe, context)) return unsigned;
  if (account === null) return 'INVALID_ACCOUNT_ID';
  if (account === token!.treasury) return 'CANNOT_WIPE_TOKEN_TREASURY_ACCOUNT';
  return takeAway(num, token!, account, amount, serials, world, {
    amount: 'INVALID_WIPING_AMOUNT',
    serials: 'INVALID_WIPING_AMOUNT',
    owner: 'ACCOUNT_DOES_NOT_OWN_WIPED_NFT',
    relation: 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT',
  });
}

/**
 * What is answered where it cannot be taken: for the amount, for the list of serials, for another owner, for no
 * relation.
 */
type Refusals = Record<'amount' | 'serials' | 'owner' | 'relation', Status>;

function takeAway(
  num: bigint,
  token: TokenFacts,
  account: bigint,
  amount: bigint,
  serials: readonly bigint[],
  world: World,
  refusals: Refusals,
): Status {
  if (token.isFungible ? serials.length > 0 : serials.length === 0 || amount !== 0n) return refusals.serials;
  if (serials.length > maxBatch) return 'BATCH_SIZE_LIMIT_EXCEEDED';
  if (new Set(serials).size !== serials.length) return refusals.serials;
  const relation = world.fact({ kind: 'relation', token: num, account });
  if (relation === null) return refusals.relation;
  const count = token.isFungible ? amount : BigInt(serials.length);
  if (amount < 0n || count > relation.balance || count > supplyOf(world, num, token)) return refusals.amount;
  const take = (serial: bigint) => (): Status => {
    const key = { kind: 'nft', token: num, serial } as const;
    const nft = world.fact(key);
    if (nft === null) return 'INVALID_NFT_ID';
    if (nft.owner !== account) return refusals.owner;
    world.setFact(key, null);
    return 'SUCCESS';
  };
  return attempt(world, () => {
    changeSupply(world, num, token, account, -count);
    return firstFailure(serials.map(take));
  });
}

export function pause(num: bigint, isPaused: boolean, context: Context): Status {
  const { world } = context;
  const key = { kind: 'token', token: num } as const;
  const token = world.fact(key);
  if (token === null) return 'INVALID_TOKEN_ID';
  if (token.keys.pause === null) return 'TOKEN_HAS_NO_PAUSE_KEY';
  if (!satisfiesKey(token.keys.pause, context)) return unsigned;
  world.setFact(key, { ...token, isPaused });
  return 'SUCCESS';
}
