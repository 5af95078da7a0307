// Types of transactions in words: `CRYPTOTRANSFER` is a crypto transfer.
import { findTransactionType } from '../../../protocol/hapi/transaction-types.ts';

export function typeWords(type: number): string {
  const found = findTransactionType(type);
  if (found === null) return `Unknown type ${type}`;
  const words = found.bodyField.replaceAll(/([A-Z]+)/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
