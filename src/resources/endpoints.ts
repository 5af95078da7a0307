// The endpoints of the API: the one list. Everything else that knows endpoints reads it.

import type { Endpoint } from '../api/endpoint/endpoint.ts';
import { getAccount } from './accounts/get-account.ts';
import { listAccountNfts } from './accounts/list-account-nfts.ts';
import { listAccountTokens } from './accounts/list-account-tokens.ts';
import { listAccounts } from './accounts/list-accounts.ts';
import { listOutstandingAirdrops, listPendingAirdrops } from './accounts/list-airdrops.ts';
import { listCryptoAllowances, listTokenAllowances } from './accounts/list-allowances.ts';
import { listHookStorage } from './accounts/list-hook-storage.ts';
import { listHooks } from './accounts/list-hooks.ts';
import { listNftAllowances } from './accounts/list-nft-allowances.ts';
import { listStakingRewards } from './accounts/list-staking-rewards.ts';
import { listBalances } from './balances/list-balances.ts';
import { getBlock } from './blocks/get-block.ts';
import { getBlockProof } from './blocks/get-block-proof.ts';
import { listBlocks } from './blocks/list-blocks.ts';
import { getPrestate } from './contracts/calls/get-prestate.ts';
import { listOpcodes } from './contracts/calls/list-opcodes.ts';
import { postCall } from './contracts/calls/post-call.ts';
import { getContract } from './contracts/get-contract.ts';
import { getContractResult } from './contracts/get-contract-result.ts';
import { getContractResultProof } from './contracts/get-contract-result-proof.ts';
import { getResultOfContract } from './contracts/get-result-of-contract.ts';
import { listContractActions } from './contracts/list-contract-actions.ts';
import { listContractLogs } from './contracts/list-contract-logs.ts';
import { listContractResults } from './contracts/list-contract-results.ts';
import { listContractState } from './contracts/list-contract-state.ts';
import { listContracts } from './contracts/list-contracts.ts';
import { listLogsOfContract } from './contracts/list-logs-of-contract.ts';
import { listResultsOfContract } from './contracts/list-results-of-contract.ts';
import { postFeeEstimate } from './network/estimate-fee.ts';
import { getExchangeRate } from './network/get-exchange-rate.ts';
import { getNetworkFees } from './network/get-network-fees.ts';
import { getNetworkStake } from './network/get-network-stake.ts';
import { getSupply } from './network/get-supply.ts';
import { listNodes } from './network/list-nodes.ts';
import { listRegisteredNodes } from './network/list-registered-nodes.ts';
import { getSchedule } from './schedules/get-schedule.ts';
import { listSchedules } from './schedules/list-schedules.ts';
import { getNft } from './tokens/get-nft.ts';
import { getToken } from './tokens/get-token.ts';
import { listNftTransactions } from './tokens/list-nft-transactions.ts';
import { listTokenBalances } from './tokens/list-token-balances.ts';
import { listTokenNfts } from './tokens/list-token-nfts.ts';
import { listTokens } from './tokens/list-tokens.ts';
import { getTopic } from './topics/get-topic.ts';
import { getTopicMessage } from './topics/get-topic-message.ts';
import { getTopicMessageByTime } from './topics/get-topic-message-by-time.ts';
import { getTopicMessageProof } from './topics/get-topic-message-proof.ts';
import { listTopicMessages } from './topics/list-topic-messages.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { getTransactionProof } from './transactions/get-transaction-proof.ts';
import { listTransactions } from './transactions/list-transactions.ts';

/** In the order of the API document and of the page `/api`. */
export const endpoints: readonly Endpoint[] = [
  listTokens,
  getToken,
  listTokenBalances,
  listTokenNfts,
  getNft,
  listNftTransactions,
  listAccounts,
  getAccount,
  listAccountTokens,
  listAccountNfts,
  listCryptoAllowances,
  listTokenAllowances,
  listNftAllowances,
  listOutstandingAirdrops,
  listPendingAirdrops,
  listStakingRewards,
  listHooks,
  listHookStorage,
  listBalances,
  getContract,
  listContractResults,
  listSchedules,
  getSchedule,
  listBlocks,
  getBlock,
  getBlockProof,
  listTransactions,
  getTransaction,
  getTransactionProof,
  listTopicMessages,
  getTopicMessage,
  getTopicMessageProof,
  getTopicMessageByTime,
  getTopic,
  listContracts,
  listResultsOfContract,
  getResultOfContract,
  listLogsOfContract,
  listContractState,
  getContractResult,
  getContractResultProof,
  listContractActions,
  listContractLogs,
  listOpcodes,
  getPrestate,
  postCall,
  listNodes,
  getExchangeRate,
  getNetworkFees,
  postFeeEstimate,
  getNetworkStake,
  getSupply,
  listRegisteredNodes,
];

/** The beginning of another path, and no path itself, though it has the form of an entity's. */
export const unknownPaths: readonly string[] = ['/api/v1/topics/messages'];
