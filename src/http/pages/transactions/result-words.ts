// Results of transactions in words: `INSUFFICIENT_GAS` is insufficient gas.
import type { Markup } from '../../../kit/markup.ts';
import { isSuccess, responseCodeName } from '../../../protocol/hapi/response-codes.ts';
import { badge } from '../parts/badge.ts';

export function resultWords(code: number): string {
  const words = responseCodeName(code).replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function resultMark(code: number): Markup {
  return badge(isSuccess(code) ? 'good' : 'bad', resultWords(code));
}
