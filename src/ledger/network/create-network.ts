// The questions about the network as a whole.
import { decodeFeeSchedule } from '../../protocol/hapi/fee-schedule.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { type SystemEntity, type SystemRealm, systemEntityId } from '../../protocol/hapi/system-entity.ts';
import { selectNetworkStake } from '../../store/read/select-network-stake.ts';
import { selectNodes } from '../../store/read/select-nodes.ts';
import { latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { beganLater } from '../extent/began-later.ts';
import { readSystemFile, type SystemFile } from '../files/read-system-file.ts';
import { type Page, toPage } from '../question/page.ts';
import { estimateFee, type FeeEstimate, type PricedTransaction } from './estimate-fee.ts';
import type {
  ExchangeRate,
  GasFees,
  MissingFile,
  NetworkNode,
  NetworkStake,
  NodesQuery,
  Supply,
  WrittenWithin,
} from './network.ts';
import { askSupply, toUnreleasedAccounts } from './supply-question.ts';
import { toExchangeRate, toGasFees } from './system-prices.ts';
import { toNetworkNode } from './to-network-node.ts';
import { toNetworkStake } from './to-network-stake.ts';

export type Network = {
  estimateFee(transaction: PricedTransaction): Promise<FeeEstimate | MissingFile | { unpriced: true }>;
  exchangeRate(within: WrittenWithin): Promise<ExchangeRate | MissingFile>;
  /** By name of the transaction type, ascending. */
  gasFees(within: WrittenWithin): Promise<GasFees | MissingFile>;
  /** null = no staking period has ended yet. */
  stake(): Promise<NetworkStake | null>;
  /** null = nothing is known of that time, or the ledger's beginning is unknown. */
  supply(within: WrittenWithin | null): Promise<Supply | null>;
  nodes(query: NodesQuery): Promise<Page<NetworkNode>>;
};

type Options = { db: Database; system: SystemRealm; clock: () => bigint };

export function createNetwork({ db, system, clock }: Options): Network {
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
    async estimateFee(transaction) {
      const file = await readFile('simpleFees', { from: null, to: null }, decodeFeeSchedule);
      if ('missingFileId' in file) return file;
      return estimateFee(file.value, transaction) ?? { unpriced: true };
    },
    async exchangeRate(within) {
      const file = await readRates(within);
      return 'missingFileId' in file ? file : toExchangeRate(file);
    },
    async gasFees(within) {
      const [schedules, rates] = await Promise.all([
        readFile('feeSchedules', within, (content) => proto.CurrentAndNextFeeSchedule.decode(content)),
        readRates(within),
      ]);
      if ('missingFileId' in schedules) return schedules;
      if ('missingFileId' in rates) return rates;
      return toGasFees(schedules, rates.value, within.to ?? schedules.timestamp);
    },
    async stake() {
      const row = await selectNetworkStake(db);
      return row && toNetworkStake(row);
    },
    async supply(within) {
      // It follows from the balances of accounts that are as old as the ledger.
      if (await beganLater(db)) return null;
      return askSupply({ db, accounts: toUnreleasedAccounts(system), now: clock() }, within);
    },
    async nodes({ fileId, nodeId, order, limit }) {
      const rows = await selectNodes(db, {
        ...{ fileId: fileId ?? systemEntityId('nodeDetails', system), nodeId, order, limit },
      });
      return toPage(rows.map(toNetworkNode), limit, (last) => last.nodeId);
    },
  };
}
