// Tokens that contracts keep (ERC-20, ERC-721, ERC-1155), by their events: what they say of themselves, and what their
// transfers add up to.
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type ContractTokenRow,
  type SerialPlace,
  selectContractToken,
  selectContractTokenHolders,
  selectContractTokenHoldings,
  selectContractTokenSerials,
  selectContractTokens,
  selectOwnersOfSerial,
  selectTokenProgress,
  type TokenPlace,
} from '../../../packages/store/read/select-contract-tokens.ts';
import { toPage } from '../question/page.ts';

export const contractTokenStandards = ['ERC-20', 'ERC-721', 'ERC-1155'] as const;
export type ContractTokenStandard = (typeof contractTokenStandards)[number];

/** Amounts are in the smallest unit; one below zero says that its events do not add up. */
export type ContractToken = ReturnType<typeof toContractToken>;

type Asked = { contractId: bigint; limit: number };
/** Where a page of holders ended. */
export type HolderPlace = { amount: bigint; account: Buffer };

export function createContractTokens({ db }: { db: Database }) {
  return {
    /** null = it is none, as far as transfers are summed up. */
    async find(contractId: bigint): Promise<ContractToken | null> {
      const row = await selectContractToken(db, contractId);
      return row && toContractToken(row);
    },
    /** The most transferred first, or the newest. */
    async list(asked: {
      standard: ContractTokenStandard;
      by: 'transfers' | 'id';
      after: TokenPlace | null;
      limit: number;
    }) {
      const items = (await selectContractTokens(db, asked)).map(toContractToken);
      return toPage(
        items,
        asked.limit,
        ({ transfers, contractId }): TokenPlace => ({
          transfers: asked.by === 'id' ? null : transfers,
          contractId,
        }),
      );
    },
    /** Who has most first. `account`: 20 bytes. */
    async listHolders({ after, ...asked }: Asked & { after: HolderPlace | null }) {
      const rows = await selectContractTokenHolders(db, { ...asked, after });
      const items = rows.map(({ account, amount }): HolderPlace => ({ account, amount: BigInt(amount) }));
      return toPage(items, asked.limit, (last) => last);
    },
    /** By serial number and owner. */
    async listSerials({ after, ...asked }: Asked & { after: SerialPlace | null }) {
      const items = (await selectContractTokenSerials(db, { ...asked, after })).map(toSerial);
      return toPage(items, asked.limit, ({ serialNumber, account }): SerialPlace => ({ serialNumber, account }));
    },
    /** Who has units of a serial number. */
    async findSerial(asked: Asked & { serialNumber: bigint }) {
      return (await selectOwnersOfSerial(db, asked)).map(toSerial);
    },
    /** What an account has by its addresses, by contract. */
    async listHoldings(asked: { accounts: readonly Buffer[]; after: bigint; limit: number }) {
      const rows = await selectContractTokenHoldings(db, asked);
      const items = rows.map(({ amount, ...token }) => ({ token: toContractToken(token), amount: BigInt(amount) }));
      return toPage(items, asked.limit, ({ token }) => token.contractId);
    },
    /** Up to which consensus time transfers are summed up; null = none is. */
    summedUntil: () => selectTokenProgress(db),
  };
}

function toContractToken({ standard, totalSupply, ...row }: ContractTokenRow) {
  const supply = totalSupply === null ? null : BigInt(totalSupply);
  return { ...row, standard: standard as ContractTokenStandard, totalSupply: supply };
}

function toSerial({
  serialNumber,
  account,
  amount,
  modifiedTimestamp,
}: Awaited<ReturnType<typeof selectContractTokenSerials>>[number]) {
  return { serialNumber: BigInt(serialNumber), account, amount: BigInt(amount), modifiedTimestamp };
}
