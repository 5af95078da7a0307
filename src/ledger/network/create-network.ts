// The questions about the network as a whole.
import { decodeFeeSchedule } from '../../protocol/hapi/fee-schedule.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { selectNetworkStake } from '../../store/read/select-network-stake.ts';
import { selectNodes } from '../../store/read/select-nodes.ts';
import { latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { beganLater } from '../extent/began-later.ts';
import { readSystemFile, type SystemFile } from '../files/read-system-file.ts';
import { type Page, toPage } from '../page.ts';
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

type Options = { db: Database; system: (num: bigint) => bigint; clock: () => bigint };

export function createNetwork({ db, system, clock }: Options): Network {
  const nodesFileId = system(102n);
  const feeFileId = system(111n);
  const rateFileId = system(112n);
  const scheduleFileId = system(113n);
  const unreleasedAccounts = toUnreleasedAccounts(system);

  function readFile<T>(
    fileId: bigint,
    { from, to }: WrittenWithin,
    decode: (content: Buffer) => T,
  ): Promise<SystemFile<T> | null> {
    return readSystemFile(db, { fileId, from, upTo: to ?? latestMoment }, decode);
  }
  const readRates = (within: WrittenWithin) =>
    readFile(rateFileId, within, (content) => proto.ExchangeRateSet.decode(content));

  return {
    async estimateFee(transaction) {
      const file = await readFile(scheduleFileId, { from: null, to: null }, decodeFeeSchedule);
      if (!file) return { missingFileId: scheduleFileId };
      return estimateFee(file.value, transaction) ?? { unpriced: true };
    },
    async exchangeRate(within) {
      const file = await readRates(within);
      return file ? toExchangeRate(file) : { missingFileId: rateFileId };
    },
    async gasFees(within) {
      const [schedules, rates] = await Promise.all([
        readFile(feeFileId, within, (content) => proto.CurrentAndNextFeeSchedule.decode(content)),
        readRates(within),
      ]);
      if (!schedules) return { missingFileId: feeFileId };
      if (!rates) return { missingFileId: rateFileId };
      return toGasFees(schedules, rates.value, within.to ?? schedules.timestamp);
    },
    async stake() {
      const row = await selectNetworkStake(db);
      return row && toNetworkStake(row);
    },
    async supply(within) {
      // It follows from the balances of accounts that are as old as the ledger.
      if (await beganLater(db)) return null;
      return askSupply({ db, accounts: unreleasedAccounts, now: clock() }, within);
    },
    async nodes({ fileId, nodeId, order, limit }) {
      const rows = await selectNodes(db, { fileId: fileId ?? nodesFileId, nodeId, order, limit });
      return toPage(rows.map(toNetworkNode), limit, (last) => last.nodeId);
    },
  };
}
