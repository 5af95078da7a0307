// Structs that describe a token, as values for the ABI.

import { type AbiParameter, parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { noBytes } from '../../frame/frame.ts';
import type { CustomFees, NftFacts, StoredKey, TokenFacts, TokenKeys } from '../../state/ledger-facts.ts';
import type { World } from '../../state/world.ts';
import { addressOf, longZero } from '../functions/accounts.ts';
import { contractAddress, decodeKey } from '../functions/keys.ts';

const keyValue = '(bool,address,bytes,bytes,address)';
const expiry = '(int64,address,int64)';
const fees =
  '(int64,address,bool,bool,address)[],(int64,int64,int64,int64,bool,address)[],(int64,int64,int64,address,bool,address)[]';

/** At 0x16c tokens have metadata and a key of it. */
export type Version = { hasMetadata: boolean };

function tokenInfo({ hasMetadata }: Version): string {
  const token = `(string,string,address,string,bool,int64,bool,(uint256,${keyValue})[],${expiry}${hasMetadata ? ',bytes' : ''})`;
  return `(${token},int64,bool,bool,bool,${fees},string)`;
}

type Results = Record<'key' | 'expiry' | 'fees' | 'token' | 'fungible' | 'nonFungible', readonly AbiParameter[]>;

function resultsOf(version: Version): Results {
  const info = tokenInfo(version);
  return {
    key: parseParameters(`(int64,${keyValue})`),
    expiry: parseParameters(`(int64,${expiry})`),
    fees: parseParameters(`(int64,${fees})`),
    token: parseParameters(`(int64,${info})`),
    fungible: parseParameters(`(int64,(${info},int32))`),
    nonFungible: parseParameters(`(int64,(${info},int64,address,int64,bytes,address))`),
  };
}

/** What the functions of a token answer, with the code in front. */
export const results = { v1: resultsOf({ hasMetadata: false }), v2: resultsOf({ hasMetadata: true }) };

/** By its bit, in the order of the key list. */
const keyBits: readonly (readonly [bit: bigint, name: keyof TokenKeys])[] = [
  [1n, 'admin'],
  [2n, 'kyc'],
  [4n, 'freeze'],
  [8n, 'wipe'],
  [16n, 'supply'],
  [32n, 'feeSchedule'],
  [64n, 'pause'],
  [128n, 'metadata'],
];

function keysOf({ hasMetadata }: Version) {
  return hasMetadata ? keyBits : keyBits.slice(0, -1);
}

/** undefined: there is no key with that bit. */
export function keyOfBit(keys: TokenKeys, bit: bigint, version: Version): StoredKey | undefined {
  const found = keysOf(version).find(([one]) => one === bit);
  return found && keys[found[1]];
}

/** Empty where the key is none of the four kinds. */
export function keyValueOf(stored: StoredKey): AbiValue {
  const key = stored === null ? null : decodeKey(stored);
  return [
    false,
    contractAddress(key?.contractID),
    key?.ed25519 ?? noBytes,
    key?.ECDSASecp256k1 ?? noBytes,
    contractAddress(key?.delegatableContractId),
  ];
}

const second = 1_000_000_000n;

export function expiryOf({ expiration, created, autoRenewPeriod, autoRenewAccount }: TokenFacts): AbiValue {
  const end = expiration ?? (autoRenewPeriod === null ? 0n : created + autoRenewPeriod * second);
  return [end / second, longZero(autoRenewAccount), autoRenewPeriod ?? 0n];
}

export function feesOf({ fixed, fractional, royalty }: CustomFees): [AbiValue, AbiValue, AbiValue] {
  return [
    fixed.map(({ amount, token, collector }) => [amount, longZero(token), token === null, false, collector]),
    fractional.map((fee) => [fee.numerator, fee.denominator, fee.min, fee.max, fee.netOfTransfers, fee.collector]),
    royalty.map(({ numerator, denominator, fallback, collector }) => {
      const token = fallback?.token ?? null;
      return [numerator, denominator, fallback?.amount ?? 0n, longZero(token), token === null, collector];
    }),
  ];
}

export function tokenInfoOf(token: TokenFacts, supply: bigint, version: Version, ledgerId: string): AbiValue {
  return [
    hederaTokenOf(token, version),
    supply,
    false,
    token.kycStatus === 1,
    token.isPaused,
    ...feesOf(token.fees),
    ledgerId,
  ];
}

function hederaTokenOf(token: TokenFacts, version: Version): AbiValue {
  const { name, symbol, memo, treasury, maxSupply, freezeDefault, keys } = token;
  const keyList = keysOf(version).map(([bit, key]) => [bit, keyValueOf(keys[key])]);
  const metadata = version.hasMetadata ? [token.metadata] : [];
  return [
    name,
    symbol,
    treasury,
    memo,
    token.isFinite,
    maxSupply,
    freezeDefault,
    keyList,
    expiryOf(token),
    ...metadata,
  ];
}

/** Of an unknown token. */
export function noTokenInfo({ hasMetadata }: Version): AbiValue {
  const token = ['', '', 0n, '', false, 0n, false, [], noExpiry, ...(hasMetadata ? [noBytes] : [])];
  return [token, 0n, false, false, false, [], [], [], ''];
}

export const noExpiry: AbiValue = [0n, 0n, 0n];

/** Serial, owner, creation second, metadata, spender. */
export function nftOf(serial: bigint, nft: NftFacts | null, world: World): AbiValue[] {
  if (nft === null) return [serial, 0n, 0n, noBytes, 0n];
  const { owner, spender, created, metadata } = nft;
  return [serial, addressOf(owner, world), created / second, metadata, addressOf(spender, world)];
}

const ledgerIds: ReadonlyMap<bigint, string> = new Map([
  [295n, '0x00'],
  [296n, '0x01'],
  [297n, '0x02'],
]);

export function ledgerIdOf(chainId: bigint): string {
  return ledgerIds.get(chainId) ?? '0x03';
}
