// Functions of 0x167 and 0x16c that cannot be foreseen: what they do depends on signatures, on numbers that the ledger
// gives, or on more than this machine knows. Those that make a token, and they alone, may carry a value.
import type { SystemFunction } from '../functions/function.ts';
import { unsupported } from '../functions/unsupported.ts';

const keyList = '(uint256,(bool,address,bytes,bytes,address))[]';
const expiry = '(int64,address,int64)';
const oldExpiry = '(uint32,address,uint32)';
const token = (maxSupply: string, end: string) =>
  `(string,string,address,string,bool,${maxSupply},bool,${keyList},${end})`;
const current = token('int64', expiry);
const withMetadata = current.replace(/\)$/, ',bytes)');
const older = token('int64', oldExpiry);
const oldest = token('uint32', oldExpiry);

const fixedFees = '(int64,address,bool,bool,address)[]';
const oldFixedFees = '(uint32,address,bool,bool,address)[]';
const feesOf = (number: string) => `(${number},${number},${number},${number},bool,address)[]`;
const royaltiesOf = (number: string) => `(${number},${number},${number},address,bool,address)[]`;
const fees = `${fixedFees},${feesOf('int64')}`;
const royalties = `${fixedFees},${royaltiesOf('int64')}`;
const oldFees = `${oldFixedFees},${feesOf('uint32')}`;
const oldRoyalties = `${oldFixedFees},${royaltiesOf('uint32')}`;

const creations = {
  v1: [
    `createFungibleToken(${current},int64,int32)`,
    `createFungibleTokenWithCustomFees(${current},int64,int32,${fees})`,
    `createNonFungibleToken(${current})`,
    `createNonFungibleTokenWithCustomFees(${current},${royalties})`,
    `createFungibleToken(${older},uint64,uint32)`,
    `createFungibleTokenWithCustomFees(${older},uint64,uint32,${oldFees})`,
    `createNonFungibleToken(${older})`,
    `createNonFungibleTokenWithCustomFees(${older},${oldRoyalties})`,
    `createFungibleToken(${oldest},uint256,uint256)`,
    `createFungibleTokenWithCustomFees(${oldest},uint256,uint256,${oldFees})`,
    `createNonFungibleToken(${oldest})`,
    `createNonFungibleTokenWithCustomFees(${oldest},${oldRoyalties})`,
  ],
  v2: [
    `createFungibleToken(${withMetadata},int64,int32)`,
    `createFungibleTokenWithCustomFees(${withMetadata},int64,int32,${fees})`,
    `createNonFungibleToken(${withMetadata})`,
    `createNonFungibleTokenWithCustomFees(${withMetadata},${royalties})`,
  ],
};

const others = {
  both: [
    'airdropTokens((address,(address,int64,bool)[],(address,address,int64,bool)[])[])',
    'cancelAirdrops((address,address,address,int64)[])',
    'claimAirdrops((address,address,address,int64)[])',
    'rejectTokens(address,address[],(address,int64)[])',
    'deleteToken(address)',
    `updateFungibleTokenCustomFees(address,${fees})`,
    `updateNonFungibleTokenCustomFees(address,${royalties})`,
    `updateTokenExpiryInfo(address,${expiry})`,
    `updateTokenExpiryInfo(address,${oldExpiry})`,
    `updateTokenKeys(address,${keyList})`,
  ],
  v1: [
    `updateTokenInfo(address,${current})`,
    `updateTokenInfo(address,${older})`,
    `updateTokenInfo(address,${oldest})`,
  ],
  v2: [`updateTokenInfo(address,${withMetadata})`, 'updateNFTsMetadata(address,int64[],bytes)'],
};

const atToken = [
  'cancelAirdropFT(address)',
  'cancelAirdropNFT(address,int64)',
  'claimAirdropFT(address)',
  'claimAirdropNFT(address,int64)',
  'rejectTokenFT()',
  'rejectTokenNFTs(int64[])',
];

type Version = 'v1' | 'v2';

/** Signatures of what may carry a value. */
export function creationsAt(version: Version): readonly string[] {
  return creations[version];
}

export function unsupportedAt(version: Version): SystemFunction[] {
  return [...creations[version], ...others.both, ...others[version]].map((signature) => unsupported(signature));
}

export const unsupportedAtToken: readonly SystemFunction[] = atToken.map((signature) => unsupported(signature));
