// The network as a whole: its nodes, what it charges, what is staked and how much there is.
import type { Range } from '../../kit/range.ts';

/** Moments of writing that count, ns; inclusive, null = open. */
export type WrittenWithin = { from: bigint | null; to: bigint | null };

export type Rate = {
  centEquivalent: number;
  hbarEquivalent: number;
  /** Seconds since 1970. */
  expirationTime: bigint;
};

export type ExchangeRate = { current: Rate; next: Rate; timestamp: bigint };

export type GasFee = { transactionType: string; gasTinybar: bigint };
export type GasFees = { fees: GasFee[]; timestamp: bigint };

/** The file of this id says nothing. */
export type MissingFile = { missingFileId: bigint };

export type NetworkStake = {
  maxStakeRewarded: bigint;
  maxStakingRewardRatePerHbar: bigint;
  maxTotalReward: bigint;
  nodeRewardFee: Fraction;
  reservedStakingRewards: bigint;
  rewardBalanceThreshold: bigint;
  stakeTotal: bigint;
  stakingPeriod: Period;
  /** Minutes. */
  stakingPeriodDuration: bigint;
  stakingPeriodsStored: bigint;
  stakingRewardFee: Fraction;
  stakingRewardRate: bigint;
  stakingStartThreshold: bigint;
  unreservedStakingRewardBalance: bigint;
};

export type Fraction = { numerator: bigint; denominator: bigint };
/** ns */
export type Period = { from: bigint; to: bigint };

export type Supply = { releasedTinybar: bigint; totalTinybar: bigint; timestamp: bigint };

export type ServiceEndpoint = { domainName: string; ipAddressV4: string; port: number };

export type NetworkNode = {
  nodeId: bigint;
  nodeAccountId: bigint | null;
  adminKey: Buffer | null;
  associatedRegisteredNodes: readonly bigint[];
  /** null where nothing is known of the node beyond its address book. */
  declineReward: boolean | null;
  description: string | null;
  fileId: bigint;
  grpcProxyEndpoint: ServiceEndpoint | null;
  memo: string | null;
  /** Hex text. */
  nodeCertHash: Buffer | null;
  /** Hex. */
  publicKey: string | null;
  serviceEndpoints: readonly ServiceEndpoint[];
  /** null where nothing is known of it; as each of its bounds. */
  stake: NodeStake | null;
  valid: { from: bigint; to: bigint | null };
};

export type NodeStake = {
  maxStake: bigint | null;
  minStake: bigint | null;
  rewardRateStart: bigint;
  stake: bigint;
  stakeNotRewarded: bigint | null;
  stakeRewarded: bigint;
  stakingPeriod: Period;
};

export type NodesQuery = {
  /** null = the network's file with the details of all nodes. */
  fileId: bigint | null;
  /** Exact ones are alternatives. */
  nodeId: Range;
  order: 'asc' | 'desc';
  limit: number;
};
