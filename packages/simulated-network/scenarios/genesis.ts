// The first records: system accounts, files and stake, by transactions of the network itself. The creation of the
// treasury makes the whole supply; all other opening balances are transfers from there.

import { proto } from '../../protocol/hapi/hapi.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { encodeAddressBook, type SigningNode } from '../files/node-keys.ts';
import { encodeFeeSchedule } from '../formats/encode-fee-schedule.ts';
import { encodeTransactionBody } from '../formats/encode-transaction.ts';
import { blankAccount, emptyKeyList } from '../ledger/blank-account.ts';
import { feeCollector, nodeRewards, stakingRewards } from '../ledger/fees.ts';
import { accountId, fileId, timestamp, tinybarPerHbar, toLong } from '../ledger/hapi-values.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  encodeExchangeRates,
  encodeGasPrices,
  exchangeRateFile,
  feeScheduleFile,
  type GenesisFees,
  openingGasPrice,
  openingRate,
  simpleFeesFile,
  systemFileAdmin,
} from '../ledger/prices.ts';
import { encodeKey, type SigningKeys } from '../ledger/signing-keys.ts';
import { simpleFees } from '../ledger/simple-fees.ts';
import type { LedgerPublication } from '../proofs/block-signer.ts';
import { toPublicationBody } from '../proofs/publication-body.ts';
import { encodeStreamItem, type StreamItem } from '../run/stream-item.ts';
import { type StreamUnit, toStreamUnit } from '../run/stream-unit.ts';
import { createOutcome } from '../transactions/execution.ts';

export const treasury = 2n;
/** 50 billion hbar. */
const totalSupplyTinybar = 50_000_000_000n * tinybarPerHbar;

/** hbar that system accounts start with, besides the nodes. */
const openingBalances: Record<string, bigint> = {
  50: 1_000_000n,
  58: 100_000n,
  98: 0n,
  800: 250_000_000n,
  801: 1_000_000n,
};
const nodeOpeningHbar = 10_000n;

type Genesis = {
  ledger: Ledger;
  keys: SigningKeys;
  nodes: readonly SigningNode[];
  publication: LedgerPublication;
  /** undefined: both files, as earlier versions wrote them. */
  fees: GenesisFees | undefined;
  at: bigint;
};

export function createGenesis({ ledger, keys, nodes, publication, fees, at }: Genesis): StreamUnit[] {
  const operatorKey = encodeKey(keys.create('ED25519'));
  const units: StreamUnit[] = [];
  const next = () => at + BigInt(units.length);

  const create = (id: bigint, key: Uint8Array, hbar: bigint) => {
    const mark = ledger.mark();
    const balance = hbar * tinybarPerHbar;
    ledger.put('accounts', id, { ...blankAccount(id, at), key, balance });
    if (id !== treasury) {
      ledger.change('accounts', treasury, { balance: ledger.tables.accounts.get(treasury)!.balance - balance });
    }
    const outcome = createOutcome();
    outcome.receipt.accountID = accountId(id);
    const data = { key: proto.Key.decode(key), autoRenewPeriod: { seconds: toLong(7_776_000n) } };
    const balances = ledger.balanceChanges(mark);
    const item = synthetic({ cryptoCreateAccount: data }, 'cryptoCreateAccount', next(), outcome, balances);
    units.push(toStreamUnit(ledger, mark, [item]));
  };

  create(treasury, operatorKey, totalSupplyTinybar / tinybarPerHbar);
  for (const node of nodes) create(node.accountId, operatorKey, nodeOpeningHbar);
  const unspendable = [feeCollector, stakingRewards, nodeRewards];
  for (const [id, hbar] of Object.entries(openingBalances)) {
    create(BigInt(id), unspendable.includes(BigInt(id)) ? emptyKeyList : operatorKey, hbar);
  }

  for (const { nodeId, accountId: account, description } of nodes) {
    ledger.put('nodes', nodeId, { nodeId, account, description, deleted: false });
    ledger.take('nextNode');
  }
  for (const [id, contents] of systemFiles(nodes, fees)) {
    const mark = ledger.mark();
    ledger.put('files', id, { id, contents, deleted: false, keys: [operatorKey] });
    const outcome = createOutcome();
    outcome.receipt.fileID = fileId(id);
    const data = {
      contents,
      keys: { keys: [proto.Key.decode(operatorKey)] },
      expirationTime: { seconds: toLong(4_102_444_800n) },
    };
    units.push(toStreamUnit(ledger, mark, [synthetic({ fileCreate: data }, 'fileCreate', next(), outcome)]));
  }
  units.push(toStreamUnit(ledger, ledger.mark(), [stakeUpdate(ledger, nodes, next())]));
  const published = { ledgerIdPublication: toPublicationBody(publication) };
  const item = synthetic(published, 'ledgerIdPublication', next(), createOutcome());
  units.push(toStreamUnit(ledger, ledger.mark(), [item]));
  return units;
}

/** The stake at the end of the UTC day before. */
export function stakeUpdate(ledger: Ledger, nodes: readonly SigningNode[], at: bigint): StreamItem {
  const day = 86_400_000_000_000n;
  const staked = new Map(nodes.map(({ nodeId }) => [nodeId, { rewarded: 0n, notRewarded: 0n }]));
  for (const account of ledger.tables.accounts.values()) {
    const node = account.stakedNodeId === null ? undefined : staked.get(account.stakedNodeId);
    if (node && !account.deleted) node[account.declineReward ? 'notRewarded' : 'rewarded'] += account.balance;
  }
  // All nodes have the same weight, whatever is staked to them.
  const equalStake = toLong(1_000_000_000n * tinybarPerHbar);
  const data: proto.INodeStakeUpdateTransactionBody = {
    endOfStakingPeriod: timestamp((at / day) * day - 1n),
    nodeStake: nodes.map(({ nodeId }) => ({
      nodeId: toLong(nodeId),
      maxStake: toLong(10_000_000_000n * tinybarPerHbar),
      minStake: toLong(0n),
      rewardRate: toLong(6849n),
      stake: equalStake,
      stakeNotRewarded: toLong(staked.get(nodeId)!.notRewarded),
      stakeRewarded: toLong(staked.get(nodeId)!.rewarded),
    })),
    maxStakeRewarded: toLong(6_500_000_000n * tinybarPerHbar),
    maxStakingRewardRatePerHbar: toLong(6849n),
    nodeRewardFeeFraction: { numerator: toLong(1n), denominator: toLong(10n) },
    stakingPeriodsStored: toLong(365n),
    stakingPeriod: toLong(1440n),
    stakingRewardFeeFraction: { numerator: toLong(1n), denominator: toLong(10n) },
    stakingStartThreshold: toLong(250_000_000n * tinybarPerHbar),
    stakingRewardRate: toLong(100_000n * tinybarPerHbar),
    maxTotalReward: toLong(100_000n * tinybarPerHbar),
    rewardBalanceThreshold: toLong(85_000_000n * tinybarPerHbar),
    reservedStakingRewards: toLong(0n),
    unreservedStakingRewardBalance: toLong(ledger.tables.accounts.get(stakingRewards)?.balance ?? 0n),
  };
  return synthetic({ nodeStakeUpdate: data }, 'nodeStakeUpdate', at, createOutcome());
}

function systemFiles(nodes: readonly SigningNode[], fees: GenesisFees | undefined): [bigint, Uint8Array][] {
  const book = encodeAddressBook(nodes);
  return [
    [101n, book],
    [102n, book],
    ...(fees !== '113' ? [[feeScheduleFile, encodeGasPrices(openingGasPrice)] as [bigint, Uint8Array]] : []),
    [exchangeRateFile, encodeExchangeRates(openingRate)],
    ...(fees !== '111' ? [[simpleFeesFile, encodeFeeSchedule(simpleFees)] as [bigint, Uint8Array]] : []),
  ];
}

const memos = {
  cryptoCreateAccount: 'Synthetic creation at genesis',
  fileCreate: 'Synthetic creation at genesis',
  nodeStakeUpdate: 'End of staking period calculation record',
  ledgerIdPublication: 'Ledger id',
};

/** A transaction of the network itself: no node, no fee, no signature. */
function synthetic(
  data: TransactionBody,
  kind: keyof typeof memos,
  at: bigint,
  outcome: ReturnType<typeof createOutcome>,
  balances: ReturnType<Ledger['balanceChanges']> = { hbar: [], tokens: [] },
): StreamItem {
  const payer = kind === 'fileCreate' ? systemFileAdmin : treasury;
  const transactionId = { accountID: accountId(payer), transactionValidStart: timestamp(at) };
  const memo = memos[kind];
  const bodyBytes = encodeTransactionBody({ transactionID: transactionId, memo, ...data });
  return encodeStreamItem({
    kind,
    status: 'SUCCESS',
    consensusTimestamp: at,
    parentConsensusTimestamp: null,
    signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes }).finish(),
    transactionId,
    memo,
    outcome,
    balances,
    fee: null,
    rewards: [],
    scheduleRef: null,
    rates: null,
  });
}
