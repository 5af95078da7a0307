// Whether a contract that logs transfers is a token: by the functions in its code, and, where the code only forwards
// calls, by what it answers.

import { parseParameters } from '../../../packages/abi/abi-type.ts';
import { encodeValues } from '../../../packages/abi/encode-values.ts';
import { selectorBytes, signatureHash } from '../../../packages/abi/selector.ts';
import type { AskContract } from '../onchain/ledger-chain.ts';
import type { TokenStandard } from './read-transfer.ts';

/** Functions that every contract of a standard has; their selectors do not begin with zeros. */
const functions: Readonly<Record<TokenStandard, readonly string[]>> = {
  'ERC-20': ['transfer(address,uint256)', 'balanceOf(address)', 'totalSupply()'],
  'ERC-721': ['ownerOf(uint256)', 'balanceOf(address)'],
  'ERC-1155': ['safeTransferFrom(address,address,uint256,uint256,bytes)', 'balanceOfBatch(address[],uint256[])'],
};

/** ERC-165. */
const interfaces: Readonly<Record<Exclude<TokenStandard, 'ERC-20'>, string>> = {
  'ERC-721': '80ac58cd',
  'ERC-1155': 'd9b67a26',
};

const selectors = Object.entries(functions).map(
  ([standard, signatures]) =>
    [standard as TokenStandard, signatures.map((one) => signatureHash(one).toString('hex', 0, selectorBytes))] as const,
);

export type LoggingContract = {
  address: bigint;
  /** Empty = not known. */
  code: Buffer;
  /** Of its transfers. */
  logged: ReadonlySet<TokenStandard>;
};

/** null = it only logs like one. */
export async function recogniseToken(
  { address, code, logged }: LoggingContract,
  ask: AskContract,
): Promise<TokenStandard | null> {
  const named = findSelectors(code);
  const byCode = selectors.find(([standard, needed]) => logged.has(standard) && needed.every((one) => named.has(one)));
  if (byCode) return byCode[0];
  for (const standard of logged) if (await answersAs(standard, address, ask)) return standard;
  return null;
}

async function answersAs(standard: TokenStandard, address: bigint, ask: AskContract): Promise<boolean> {
  if (standard === 'ERC-20') {
    const supply = await ask(address, callOf('totalSupply()'));
    return supply?.length === 32 && (await ask(address, callOf('balanceOf(address)', 0n)))?.length === 32;
  }
  const id = Buffer.from(interfaces[standard].padEnd(64, '0'), 'hex');
  const answer = await ask(address, Buffer.concat([callOf('supportsInterface(bytes4)'), id]));
  return answer?.length === 32 && answer.at(-1) === 1;
}

const oneWord = parseParameters('(uint256)');

export function callOf(signature: string, ...words: bigint[]): Buffer {
  const selector = signatureHash(signature).subarray(0, selectorBytes);
  return Buffer.concat([selector, ...words.map((word) => encodeValues(oneWord, [word]))]);
}

const push1 = 0x60;
const push4 = 0x63;
const push32 = 0x7f;

/** What code compares with selectors: all that it pushes in 4 bytes, in hex. */
function findSelectors(code: Buffer): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at]!;
    if (opcode === push4) found.add(code.toString('hex', at + 1, at + 1 + selectorBytes));
    if (opcode >= push1 && opcode <= push32) at += opcode - push1 + 1;
  }
  return found;
}
