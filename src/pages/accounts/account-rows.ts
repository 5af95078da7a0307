// Transactions of an account as rows: what it got and gave in each, and its balance after it.
import { html, joinMarkup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId as formatId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type BalanceHistory, balanceIn } from '../../ledger/accounts/balance-history-question.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import type { Links } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatPlainFraction, hbar, hbarChange, tokenChange } from '../parts/amounts.ts';
import type { Column } from '../parts/table.ts';
import { findTokenNames, plainTokenAmount, type TokenNames, tokenUnit } from '../parts/token-names.ts';
import { type BriefMovement, toBriefMovement } from '../transactions/listed-transaction.ts';
import { namingColumns } from '../transactions/transaction-columns.ts';
import { type AccountMovements, movementsOf, type NftMovement, tokenIdsOf } from './account-movements.ts';

export type AccountRow = LedgerTransaction & {
  accountId: bigint;
  movements: AccountMovements;
  brief: BriefMovement | null;
  tokenNames: TokenNames;
  /** Tinybar; null = not known exactly. */
  balanceAfter: bigint | null;
};

export async function toAccountRows(
  context: Pick<PageContext, 'ledger' | 'settings'>,
  accountId: bigint,
  transactions: readonly LedgerTransaction[],
): Promise<AccountRow[]> {
  const moved = transactions.map((transaction) => movementsOf(transaction, accountId));
  const tokenNames = await findTokenNames(context, moved.flatMap(tokenIdsOf));
  return transactions.map((transaction, place) => ({
    ...transaction,
    brief: toBriefMovement(transaction, context.settings.system),
    ...{ accountId, movements: moved[place]!, tokenNames, balanceAfter: null },
  }));
}

/**
 * The same with balances: the list must have every transaction between its first and its last. By time, in either
 * order. `history`: of the account, where the page has it.
 */
export async function withBalances(
  { ledger }: Pick<PageContext, 'ledger'>,
  rows: AccountRow[],
  history: BalanceHistory | null = null,
): Promise<AccountRow[]> {
  if (rows.length === 0) return rows;
  const isNewestFirst = rows[0]!.consensusTimestamp >= rows.at(-1)!.consensusTimestamp;
  const newestFirst = isNewestFirst ? rows : rows.toReversed();
  const [{ accountId, consensusTimestamp }] = newestFirst as [AccountRow];
  const known = history && balanceIn(history, accountId, consensusTimestamp);
  let balance = known ?? (await ledger.accounts.balanceAt(accountId, consensusTimestamp));
  if (balance === null) return rows;
  const balanced = newestFirst.map((row) => {
    const balanceAfter = balance;
    balance = balance! - row.movements.hbar;
    return { ...row, balanceAfter };
  });
  return isNewestFirst ? balanced : balanced.reverse();
}

export function accountRowColumns(links: Links, hasBalances: boolean): readonly Column<AccountRow>[] {
  const balance: Column<AccountRow> = {
    name: 'Balance',
    narrow: 'none',
    isNumber: true,
    show: ({ balanceAfter }) => (balanceAfter === null ? null : hbar(balanceAfter)),
  };
  return [
    ...withoutId(namingColumns(links)),
    { name: 'With', narrow: 'start', show: (row) => showOther(row, links) },
    {
      name: 'Got or gave',
      narrow: 'amount',
      isNumber: true,
      show: (row) => showMovements(row, links),
      fields: [
        { name: 'net_hbar', text: ({ movements }) => formatPlainFraction(movements.hbar, 8) },
        { name: 'reward_hbar', text: ({ movements }) => formatPlainFraction(movements.reward, 8) },
        { name: 'net_tokens', text: plainTokens },
        { name: 'nfts', text: plainNfts },
      ],
    },
    {
      name: 'Fee paid',
      narrow: 'none',
      isNumber: true,
      show: (row) => (paidFee(row) === null ? null : hbar(paidFee(row)!)),
      fields: [
        {
          name: 'fee_hbar',
          text: (row) => (paidFee(row) === null ? '' : formatPlainFraction(paidFee(row)!, 8)),
        },
      ],
    },
    ...(hasBalances ? [balance] : []),
  ];
}

/** The id is in the file only: the type links to the transaction, and balances need the room. */
function withoutId([id, ...others]: readonly Column<LedgerTransaction>[]): readonly Column<LedgerTransaction>[] {
  const [first, ...rest] = others;
  return [{ ...first!, fields: [...id!.fields!, ...first!.fields!] }, ...rest];
}

/** The other side of what it moved, else what it was about, else who paid. */
function showOther(row: AccountRow, links: Links): MarkupValue {
  const { accountId, brief, entityId, payerAccountId } = row;
  const side = brief && (brief.from.accountId === accountId ? brief.to : brief.from);
  if (side?.accountId) return links.account(side.accountId);
  if (entityId !== null && entityId !== 0n && entityId !== accountId) return links.subject(row);
  return payerAccountId === accountId ? null : links.account(payerAccountId);
}

/** The fee, where the account is who paid it: it is part of what the account gave. */
function paidFee({ accountId, payerAccountId, chargedTxFee }: AccountRow): bigint | null {
  return payerAccountId === accountId ? chargedTxFee : null;
}

/** Kinds of tokens in one row; a transaction moves at most a few. */
const maxShown = 6;

function showMovements(
  { movements: { hbar: change, reward, tokens, nfts }, tokenNames }: AccountRow,
  links: Links,
): MarkupValue {
  const lines: MarkupValue[] = [
    ...(change !== 0n ? [hbarChange(change)] : []),
    ...(reward !== 0n ? [html`<span class="faint">with a reward of ${hbar(reward)}</span>`] : []),
    ...tokens.map(({ tokenId, amount }) =>
      tokenChange(amount, tokenNames.get(tokenId)?.decimals ?? 0n, tokenUnit(tokenId, tokenNames, links)),
    ),
    ...nfts.flatMap((nft) => [
      ...(nft.got.length > 0
        ? [html`<span class="plus">+${serials(nft, 'got', links)} ${tokenUnit(nft.tokenId, tokenNames, links)}</span>`]
        : []),
      ...(nft.gave.length > 0
        ? [
            html`<span class="minus">&minus;${serials(nft, 'gave', links)} ${tokenUnit(nft.tokenId, tokenNames, links)}</span>`,
          ]
        : []),
    ]),
  ];
  const left = lines.length - maxShown;
  const more = left > 0 ? [html`<span class="faint">&hellip; ${left} more</span>`] : [];
  return joinMarkup([...lines.slice(0, maxShown), ...more], html`<br>`);
}

const maxSerials = 3;

function serials(nft: NftMovement, side: 'got' | 'gave', links: Links): MarkupValue {
  const all = nft[side];
  if (all.includes(-1n)) return 'all NFTs of';
  const shown = joinMarkup(
    all.slice(0, maxSerials).map((serial) => links.nft(nft.tokenId, serial)),
    ', ',
  );
  return all.length > maxSerials ? html`${shown} and ${all.length - maxSerials} more of` : shown;
}

function plainTokens({ movements: { tokens }, tokenNames }: AccountRow): string {
  return tokens
    .map(
      ({ tokenId, amount }) =>
        `${formatId(tokenId)} ${plainTokenAmount(amount, tokenNames.get(tokenId)?.decimals ?? 0n)}`,
    )
    .join('; ');
}

function plainNfts({ movements: { nfts } }: AccountRow): string {
  const sides = nfts.flatMap(({ tokenId, got, gave }) => [
    ...got.map((serial) => `got ${formatId(tokenId)} ${plainSerial(serial)}`),
    ...gave.map((serial) => `gave ${formatId(tokenId)} ${plainSerial(serial)}`),
  ]);
  return sides.join('; ');
}

export function plainSerial(serial: bigint): string {
  return serial === -1n ? 'all' : `#${serial}`;
}
