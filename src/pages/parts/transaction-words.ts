// Types of transactions in words: `CRYPTOTRANSFER` is a crypto transfer.
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';

export function typeWords(type: number): string {
  return wordsOfTypes.get(type) ?? `Unknown type ${type}`;
}

const wordsOfTypes: ReadonlyMap<number, string> = new Map(
  transactionTypes.map(({ number, bodyField }) => {
    const words = bodyField.replaceAll(/([A-Z]+)/g, ' $1').toLowerCase();
    return [number, words.charAt(0).toUpperCase() + words.slice(1)];
  }),
);
