// Which function carries out which transaction. A body kind that is not listed is not supported by the network.
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import type { BodyKind, Execution } from '../execution.ts';
import { airdropTokens, cancelAirdrops, claimAirdrops, rejectTokens } from './airdrops.ts';
import { approveAllowance, deleteAllowance } from './allowances.ts';
import { callContract, createContract, deleteContract, updateContract } from './contracts.ts';
import { createAccount, deleteAccount, updateAccount } from './crypto-account.ts';
import { transferCrypto } from './crypto-transfer.ts';
import { runEthereumTransaction } from './ethereum.ts';
import { appendFile, createFile, deleteFile, updateFile } from './files.ts';
import { storeInHook } from './hooks.ts';
import { createNode, deleteNode, drawRandom, freeze, runBatch, updateNode, updateStake } from './network-admin.ts';
import { createRegisteredNode, deleteRegisteredNode, updateRegisteredNode } from './registered-nodes.ts';
import { createSchedule, deleteSchedule, signSchedule } from './schedules.ts';
import { createToken } from './token-create.ts';
import {
  associateTokens,
  dissociateTokens,
  freezeAccount,
  grantKyc,
  revokeKyc,
  unfreezeAccount,
} from './token-relations.ts';
import { burnToken, mintToken, wipeToken } from './token-supply.ts';
import { deleteToken, pauseToken, unpauseToken, updateFeeSchedule, updateNfts, updateToken } from './token-update.ts';
import { createTopic, deleteTopic, submitMessage, updateTopic } from './topics.ts';

export type Bodies = { [K in BodyKind]: NonNullable<TransactionBody[K]> };
type Handlers = { [K in BodyKind]?: (x: Execution, data: Bodies[K]) => void | Promise<void> };

export const handlers: Handlers = {
  atomicBatch: runBatch,
  consensusCreateTopic: createTopic,
  consensusDeleteTopic: deleteTopic,
  consensusSubmitMessage: submitMessage,
  consensusUpdateTopic: updateTopic,
  contractCall: callContract,
  contractCreateInstance: createContract,
  contractDeleteInstance: deleteContract,
  contractUpdateInstance: updateContract,
  cryptoApproveAllowance: approveAllowance,
  cryptoCreateAccount: createAccount,
  cryptoDelete: deleteAccount,
  cryptoDeleteAllowance: deleteAllowance,
  cryptoTransfer: transferCrypto,
  cryptoUpdateAccount: updateAccount,
  ethereumTransaction: runEthereumTransaction,
  fileAppend: appendFile,
  fileCreate: createFile,
  fileDelete: deleteFile,
  fileUpdate: updateFile,
  freeze,
  lambdaSstore: storeInHook,
  nodeCreate: createNode,
  nodeDelete: deleteNode,
  nodeStakeUpdate: updateStake,
  nodeUpdate: updateNode,
  registeredNodeCreate: createRegisteredNode,
  registeredNodeDelete: deleteRegisteredNode,
  registeredNodeUpdate: updateRegisteredNode,
  scheduleCreate: createSchedule,
  scheduleDelete: deleteSchedule,
  scheduleSign: signSchedule,
  tokenAirdrop: airdropTokens,
  tokenAssociate: associateTokens,
  tokenBurn: burnToken,
  tokenCancelAirdrop: cancelAirdrops,
  tokenClaimAirdrop: claimAirdrops,
  tokenCreation: createToken,
  tokenDeletion: deleteToken,
  tokenDissociate: dissociateTokens,
  tokenFeeScheduleUpdate: updateFeeSchedule,
  tokenFreeze: freezeAccount,
  tokenGrantKyc: grantKyc,
  tokenMint: mintToken,
  tokenPause: pauseToken,
  tokenReject: rejectTokens,
  tokenRevokeKyc: revokeKyc,
  tokenUnfreeze: unfreezeAccount,
  tokenUnpause: unpauseToken,
  tokenUpdate: updateToken,
  tokenUpdateNfts: updateNfts,
  tokenWipe: wipeToken,
  utilPrng: drawRandom,
};
