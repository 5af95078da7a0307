// What a token says of itself: its name, its symbol, how amounts are written, how much there is. Nothing of it is
// trusted: answers of other forms, and texts that are longer than a name, are left out or cut.

import type { TokenAnswers } from '../../../packages/store/write/store-token-transfers.ts';
import type { AskContract } from '../onchain/ledger-chain.ts';
import type { TokenStandard } from './read-transfer.ts';
import { callOf } from './recognise-token.ts';

const wordBytes = 32;
const maxTextBytes = 400;
const maxCharacters = 100;
const maxDecimals = 255n;

/** Four calls, one after the other. */
export async function askToken(
  ask: AskContract,
  { address, standard }: { address: bigint; standard: TokenStandard },
): Promise<Omit<TokenAnswers, 'contractId' | 'askedTimestamp'>> {
  const name = readText(await ask(address, callOf('name()')));
  const symbol = readText(await ask(address, callOf('symbol()')));
  const decimals = standard === 'ERC-20' ? readNumber(await ask(address, callOf('decimals()'))) : null;
  // ERC-1155 has none, whatever a function of this name would answer.
  const totalSupply = standard === 'ERC-1155' ? null : readNumber(await ask(address, callOf('totalSupply()')));
  return { name, symbol, totalSupply, decimals: decimals === null || decimals > maxDecimals ? null : Number(decimals) };
}

export function readNumber(answer: Buffer | null): bigint | null {
  return answer?.length === wordBytes ? BigInt(`0x${answer.toString('hex')}`) : null;
}

/** A string, or 32 bytes with zeros behind a text, as before the standard; null = neither. */
export function readText(answer: Buffer | null, maxBytes = maxTextBytes): string | null {
  const bytes = answer && (answer.length === wordBytes ? trimZeros(answer) : readBytes(answer, maxBytes));
  if (!bytes) return null;
  const text = bytes.toString('utf8').replaceAll('\0', '\ufffd');
  return maxBytes === maxTextBytes ? [...text].slice(0, maxCharacters).join('') : text;
}

function readBytes(answer: Buffer, maxBytes: number): Buffer | null {
  const start = readNumber(answer.subarray(0, wordBytes));
  if (start === null || start > BigInt(answer.length - wordBytes)) return null;
  const first = Number(start) + wordBytes;
  const length = readNumber(answer.subarray(Number(start), first));
  if (length === null || length > BigInt(answer.length - first)) return null;
  return answer.subarray(first, first + Math.min(Number(length), maxBytes));
}

function trimZeros(word: Buffer): Buffer | null {
  const end = word.indexOf(0);
  const text = end < 0 ? word : word.subarray(0, end);
  return text.length > 0 && word.subarray(text.length).every((byte) => byte === 0) ? text : null;
}
