// What an operator can set about answers. Everything that changes an answer's bytes is here, beside the dialect.
import { type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';

export type HttpUser = {
  username: string;
  password: string;
  /** Replaces the largest page size for this user. */
  limit?: number;
};

export type HttpSettings = {
  /** What short ids belong to. A network that is not known yet becomes known: look at each request. */
  system: SystemRealm;
  /** Shown for contract results without an Ethereum transaction. */
  chainId: bigint;
  limitDefault: number;
  limitMax: number;
  /** Most token balances in one account. */
  tokenBalanceLimit: number;
  /** The same of each account in a list. */
  listedTokenBalanceLimit: number;
  /** How often one query parameter may be repeated. */
  maxRepeatedParameters: number;
  /** Show `delegation_address` of accounts and `authorization_list` of contract results. */
  delegationAddress: boolean;
  /** List results made from synthetic contract logs. */
  syntheticResults: boolean;
  /** Bound open timestamp ranges of transaction and result lists to `maxTransactionsTimestampRange`. */
  bindTimestampRange: boolean;
  /** ns */
  maxTransactionsTimestampRange: bigint;
  /** Longest span of time, ns, in which logs are searched by topic. */
  maxTimestampRange: bigint;
  /** Credentials are not required; Basic credentials that are sent must be of one of these. */
  users: readonly HttpUser[];
  /** Where faults of security are to be told, a URI; null = nothing is said. */
  securityContact: string | null;
  /** ns since 1970 */
  clock: () => bigint;
};

export const defaultHttpSettings: HttpSettings = {
  system: usualRealm,
  chainId: 0x128n,
  limitDefault: 25,
  limitMax: 100,
  tokenBalanceLimit: 1000,
  listedTokenBalanceLimit: 50,
  maxRepeatedParameters: 100,
  delegationAddress: false,
  syntheticResults: true,
  bindTimestampRange: false,
  maxTransactionsTimestampRange: 60n * 86_400_000_000_000n,
  maxTimestampRange: 7n * 86_400_000_000_000n,
  users: [],
  securityContact: null,
  clock: () => BigInt(Date.now()) * 1_000_000n,
};
