// Mixes of transactions whose bytes are measured.
import type { LedgerMix, LedgerSize } from '../support/large-ledger.ts';
import { sizeOf } from '../support/large-ledger.ts';

type Mix = LedgerMix & { title: string /** % of all transactions. */; results: number };

export const mixes = {
  messages: {
    title: 'Mainnet: 85 % messages of 300 bytes, 4 % contract calls, 11 % transfers and others',
    ...{ messages: 89, messageBytes: 300, tokens: 3, results: 4 },
  },
  defi: {
    title: 'DeFi: 60 % contract calls, 40 % transfers, a third of all with tokens',
    ...{ messages: 0, messageBytes: 300, tokens: 33, results: 60 },
  },
  tokens: {
    title: 'Tokens: 90 % move a token, 5 % contract calls, 5 % messages',
    ...{ messages: 5, messageBytes: 300, tokens: 90, results: 5 },
  },
} as const satisfies Record<string, Mix>;

export type MixName = keyof typeof mixes;

/** An account for each twenty transactions, as on a network that has run for some months. */
export function sizeOfMix(name: MixName, transactions: number): LedgerSize {
  const { results, title: _title, ...mix }: Mix = mixes[name];
  return {
    ...sizeOf(transactions / 1_000_000),
    ...{ transactions, mix, accounts: Math.ceil(transactions / 20) },
    results: Math.max(1_000, Math.round((transactions * results) / 100)),
  };
}
