// Calls of the system contract that create a token: their result ends with the token's address. As the JSON-RPC relay
// of the network knows them.
import { readSelector, selectorBytes, selectorOf } from '../../../../packages/abi/selector.ts';

const expiry = '(int64,address,int64)';
const oldExpiry = '(uint32,address,uint32)';
const token = (maxSupply: string, keyType: string, end: string) =>
  `(string,string,address,string,bool,${maxSupply},bool,(${keyType},(bool,address,bytes,bytes,address))[],${end})`;
const current = token('int64', 'uint256', expiry);
const older = token('int64', 'uint256', oldExpiry);
const oldest = token('uint32', 'uint256', oldExpiry);

const fixedFees = '(int64,address,bool,bool,address)[]';
const oldFixedFees = '(uint32,address,bool,bool,address)[]';
const feesOf = (number: string) => `(${number},${number},${number},${number},bool,address)[]`;
const royaltiesOf = (number: string) => `(${number},${number},${number},address,bool,address)[]`;
const fees = `${fixedFees},${feesOf('int64')}`;
const oldFees = `${oldFixedFees},${feesOf('uint32')}`;
const oldRoyalties = `${oldFixedFees},${royaltiesOf('uint32')}`;

const signatures = [
  `createFungibleToken(${current},int64,int32)`,
  `createFungibleToken(${older},uint64,uint32)`,
  `createFungibleTokenWithCustomFees(${current},int64,int32,${fees})`,
  `createFungibleTokenWithCustomFees(${older},uint64,uint32,${oldFees})`,
  `createNonFungibleToken(${current})`,
  `createNonFungibleToken(${older})`,
  `createNonFungibleToken(${oldest})`,
  `createNonFungibleTokenWithCustomFees(${current},${fixedFees},${royaltiesOf('int64')})`,
  `createNonFungibleTokenWithCustomFees(${older},${oldRoyalties})`,
  `createNonFungibleTokenWithCustomFees(${oldest},${oldRoyalties})`,
  // The relay hashes the oldest functions of fungible tokens with `uint`, which no compiler does, so their calls are
  // not found.
  `createFungibleToken(${token('int64', 'uint', oldExpiry)},uint64,uint32)`,
  `createFungibleTokenWithCustomFees(${oldest},uint,uint,${oldFees})`,
];

const selectors: ReadonlySet<number> = new Set(signatures.map(selectorOf));

/** Whether call data is that of such a function. */
export function isTokenCreation(data: Uint8Array): boolean {
  return data.length >= selectorBytes && selectors.has(readSelector(data));
}
