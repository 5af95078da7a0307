// Movements of an account as lines of a file for accounting and tax programs: one line for each asset of a transaction,
// because such programs import one amount and one asset a line, and sums over a column are then right. The line of hbar
// has the fee and the reward, which are parts of its amount.

import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { formatSecond, formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { formatPlainFraction } from '../parts/amounts.ts';
import { dollarDigits, dollarsPerHbar, toDollars } from '../parts/dollars.ts';
import type { Field } from '../parts/table.ts';
import { plainTokenAmount, type TokenNames } from '../parts/token-names.ts';
import type { AccountMovements } from './account-movements.ts';
import { plainSerial } from './account-rows.ts';
import type { DayRate } from './day-rates.ts';

/** One asset in one transaction. */
export type MovementLine = {
  transaction: LedgerTransaction;
  asset: 'HBAR' | bigint;
  symbol: string;
  amount: string;
  /** `#5; #7`, of NFTs. */
  serials: string;
  /** Tinybar; null = not of hbar. */
  hbar: { net: bigint; fee: bigint; reward: bigint } | null;
  counterparties: readonly bigint[];
  rate: DayRate | null;
};

export const movementFields: readonly Field<MovementLine>[] = [
  { name: 'transaction_id', text: ({ transaction }) => idOf(transaction) },
  { name: 'consensus_timestamp', text: ({ transaction }) => formatTimestamp(transaction.consensusTimestamp) },
  {
    name: 'time_utc',
    text: ({ transaction }) => formatSecond(transaction.consensusTimestamp).replace('T', ' ').replace('Z', ''),
  },
  { name: 'type', text: ({ transaction }) => transactionTypeName(transaction.type) },
  { name: 'result', text: ({ transaction }) => responseCodeName(transaction.result) },
  { name: 'memo', text: ({ transaction }) => Buffer.from(transaction.memo ?? []).toString('utf8'), isForeign: true },
  {
    name: 'asset',
    text: ({ asset }) => (asset === 'HBAR' ? asset : formatEntityId(asset)),
    id: ({ asset }) => (asset === 'HBAR' ? null : asset),
  },
  { name: 'symbol', text: ({ symbol }) => symbol, isForeign: true },
  { name: 'amount', text: ({ amount }) => amount },
  { name: 'nft_serials', text: ({ serials }) => serials },
  { name: 'fee_hbar', text: ({ hbar }) => (hbar === null ? '' : formatPlainFraction(hbar.fee, 8)) },
  { name: 'staking_reward_hbar', text: ({ hbar }) => (hbar === null ? '' : formatPlainFraction(hbar.reward, 8)) },
  { name: 'counterparties', text: ({ counterparties }) => listParties(counterparties) },
  {
    name: 'usd_per_hbar',
    text: ({ rate }) => (rate === null ? '' : formatPlainFraction(dollarsPerHbar(rate.rate), dollarDigits)),
  },
  {
    name: 'value_usd',
    text: ({ hbar, rate }) =>
      hbar === null || rate === null ? '' : formatPlainFraction(toDollars(hbar.net, rate.rate), dollarDigits),
  },
];

export type LineContext = { accountId: bigint; tokenNames: TokenNames; rate: DayRate | null; system: SystemRealm };

/** The line of hbar first, also where no hbar was moved; then tokens, then NFTs, by the order of the transfers. */
export function toMovementLines(
  transaction: LedgerTransaction,
  context: LineContext,
  movements: AccountMovements,
): MovementLine[] {
  const { accountId, tokenNames, rate } = context;
  const { hbar, reward, tokens, nfts } = movements;
  const fee = transaction.payerAccountId === accountId ? (transaction.chargedTxFee ?? 0n) : 0n;
  const shared = { transaction, rate, serials: '' };
  return [
    {
      ...shared,
      ...{
        asset: 'HBAR' as const,
        symbol: 'HBAR',
        amount: formatPlainFraction(hbar, 8),
        hbar: { net: hbar, fee, reward },
      },
      counterparties: partiesOfHbar(transaction, context, hbar),
    },
    ...tokens.map(({ tokenId, amount }): MovementLine => {
      const others = transaction.tokenTransfers.filter(
        (other) => other.tokenId === tokenId && other.amount > 0n !== amount > 0n,
      );
      return {
        ...shared,
        ...{ asset: tokenId, symbol: tokenNames.get(tokenId)?.symbol ?? '', hbar: null },
        amount: plainTokenAmount(amount, tokenNames.get(tokenId)?.decimals ?? 0n),
        counterparties: distinct(
          others.map((other) => other.accountId),
          accountId,
        ),
      };
    }),
    ...nfts.flatMap(({ tokenId, got, gave }) =>
      [got, gave].flatMap((serials): MovementLine[] => {
        if (serials.length === 0) return [];
        const isGot = serials === got;
        const moved = transaction.nftTransfers.filter(
          (nft) => nft.tokenId === tokenId && serials.includes(nft.serialNumber),
        );
        return [
          {
            ...shared,
            ...{ asset: tokenId, symbol: tokenNames.get(tokenId)?.symbol ?? '', hbar: null },
            amount: `${isGot ? '' : '-'}${serials.length}`,
            serials: serials.map(plainSerial).join('; '),
            counterparties: distinct(
              moved.map((nft) => (isGot ? nft.senderAccountId : nft.receiverAccountId) ?? 0n),
              accountId,
            ),
          },
        ];
      }),
    ),
  ];
}

/** Who gave what the account got, or got what it gave, without those that only fees and rewards go through. */
function partiesOfHbar(
  { transfers, nodeAccountId }: LedgerTransaction,
  { accountId, system }: LineContext,
  net: bigint,
): bigint[] {
  if (net === 0n) return [];
  const others = transfers.filter(({ amount }) => amount > 0n !== net > 0n);
  const parties = distinct(
    others.map((other) => other.accountId),
    accountId,
  );
  return parties.filter((id) => id !== nodeAccountId && !isOfFees(id, system));
}

function isOfFees(id: bigint, system: SystemRealm): boolean {
  return feeEntities.some((entity) => systemEntityId(entity, system) === id);
}

const feeEntities = ['feeCollection', 'stakingRewards', 'nodeRewards'] as const;

function distinct(ids: readonly bigint[], own: bigint): bigint[] {
  return [...new Set(ids)].filter((id) => id !== own && id !== 0n);
}

/** More make no line clearer, and a batch may have a thousand. */
const maxParties = 20;

function listParties(ids: readonly bigint[]): string {
  const shown = ids.slice(0, maxParties).map(formatEntityId).join('; ');
  return ids.length > maxParties ? `${shown}; and ${ids.length - maxParties} more` : shown;
}

function idOf({ payerAccountId, validStart }: LedgerTransaction): string {
  return formatTransactionId({ payerId: payerAccountId, validStart });
}
