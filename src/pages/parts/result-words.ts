// Results of transactions in words: `INSUFFICIENT_GAS` is insufficient gas.
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';

export function resultWords(code: number): string {
  const words = responseCodeName(code).replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
