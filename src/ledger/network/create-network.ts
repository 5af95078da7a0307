// Queries about the network as a whole.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { decodeFeeSchedule } from '../../../packages/protocol/hapi/fee-schedule.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { type SystemEntity, type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectNetworkStake } from '../../../packages/store/read/select-network-stake.ts';
import { type NodesFilter, selectNodes } from '../../../packages/store/read/select-nodes.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { beganLater } from '../extent/began-later.ts';
import { readSystemFile, type SystemFile } from '../files/read-system-file.ts';
import { askPage } from '../question/page.ts';
import { estimateFee, type FeeEstimate, type PricedTransaction } from './estimate-fee.ts';
import { readGasSchedule } from './gas-schedule.ts';
import type { ExchangeRate, GasFees, MissingFile, Supply, WrittenWithin } from './network.ts';
import { askSupply, toUnreleasedAccounts } from './supply-question.ts';
import { toExchangeRate, toGasFees } from './system-prices.ts';
import { toNetworkNode } from './to-network-node.ts';

/**
 * `fileId`: null = the network's file with the details of all nodes, undefined = none. Exact `nodeId` are alternatives.
 */
type NodesQuery = Omit<NodesFilter, 'fileId'> & { fileId: bigint | null | undefined };

type Options = { db: Database; system: SystemRealm; clock: () => bigint };

export function createNetwork({ db, system, clock }: Options) {
  async function readFile<T>(
    file: SystemEntity,
    { from, to }: WrittenWithin,
    decode: (content: Buffer) => T,
  ): Promise<SystemFile<T> | MissingFile> {
    const fileId = systemEntityId(file, system);
    return (await readSystemFile(db, { fileId, from, upTo: to ?? latestMoment }, decode)) ?? { missingFileId: fileId };
  }
  const readRates = (within: WrittenWithin) =>
    readFile('exchangeRates', within, (content) => proto.ExchangeRateSet.decode(content));

  return {
    async estimateFee(transaction: PricedTransaction): Promise<FeeEstimate | MissingFile | { unpriced: true }> {
      const file = await readFile('simpleFees', { from: null, to: null }, decodeFeeSchedule);
      if ('missingFileId' in file) return file;
      return estimateFee(file.value, transaction) ?? { unpriced: true };
    },
    async exchangeRate(within: WrittenWithin): Promise<ExchangeRate | MissingFile> {
      const file = await readRates(within);
      return 'missingFileId' in file ? file : toExchangeRate(file);
    },
    /** By name of the transaction type, ascending. */
    async gasFees(within: WrittenWithin): Promise<GasFees | MissingFile> {
      const [schedule, rates] = await Promise.all([
        readGasSchedule(db, { system, from: within.from, upTo: within.to ?? latestMoment }),
        readRates(within),
      ]);
      if (schedule === null) return { missingFileId: systemEntityId('simpleFees', system) };
      if ('missingFileId' in rates) return rates;
      return toGasFees(schedule, rates.value, within.to ?? schedule.timestamp);
    },
    /** null = no staking period has ended yet. */
    stake: () => selectNetworkStake(db),
    /** null = nothing is known of that time, or the ledger's beginning is unknown. */
    async supply(within: WrittenWithin | null): Promise<Supply | null> {
      // It is computed from balances of accounts that are as old as the ledger.
      if (await beganLater(db)) return null;
      return askSupply({ db, accounts: toUnreleasedAccounts(system), now: clock() }, within);
    },
    nodes: ({ fileId, ...query }: NodesQuery) =>
      askPage(
        fileId === undefined ? null : { ...query, fileId: fileId ?? systemEntityId('nodeDetails', system) },
        async (filter) => (await selectNodes(db, filter)).map(toNetworkNode),
        (last) => last.nodeId,
      ),
  };
}
