// The function that executes each transaction type.
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import {
  addLiveHash,
  deleteLiveHash,
  submitUnchecked,
  systemDelete,
  systemUndelete,
  takeNote,
} from './administration.ts';
import { airdropTokens, cancelAirdrops, claimAirdrops, rejectTokens } from './airdrops.ts';
import { approveAllowance, deleteAllowance } from './allowances.ts';
import { callContract, createContract, deleteContract, updateContract } from './contracts.ts';
import { createAccount, deleteAccount, updateAccount } from './crypto-account.ts';
import { transferCrypto } from './crypto-transfer.ts';
import { runEthereumTransaction } from './ethereum.ts';
import type { BodyKind, Execution } from './execution.ts';
import { appendFile, createFile, deleteFile, updateFile } from './files.ts';
import { storeInHook } from './hooks.ts';
import { createNode, deleteNode, drawRandom, freeze, runBatch, updateNode } from './network-admin.ts';
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
type Handler<K extends BodyKind> = (x: Execution, data: Bodies[K]) => void | Promise<void>;
/** Hook dispatches are children only; state signatures, which nodes exchange, have no result. */
export type SubmittedKind = Exclude<BodyKind, 'hookDispatch' | 'stateSignatureTransaction'>;
type Handlers = { [K in SubmittedKind]: Handler<K> };

export const handlers: Handlers = {
  atomicBatch: runBatch,
  clprCloseChannel: takeNote,
  clprCompleteChannel: takeNote,
  clprCompleteConnector: takeNote,
  clprDeregisterConnector: takeNote,
  clprEndpointPublication: takeNote,
  clprRedactMessage: takeNote,
  clprRegisterChannel: takeNote,
  clprRegisterConnector: takeNote,
  clprSubmitBundle: takeNote,
  clprUpdateLedgerConfiguration: takeNote,
  consensusCreateTopic: createTopic,
  consensusDeleteTopic: deleteTopic,
  consensusSubmitMessage: submitMessage,
  consensusUpdateTopic: updateTopic,
  contractCall: callContract,
  contractCreateInstance: createContract,
  contractDeleteInstance: deleteContract,
  contractUpdateInstance: updateContract,
  crsPublication: takeNote,
  cryptoAddLiveHash: addLiveHash,
  cryptoApproveAllowance: approveAllowance,
  cryptoCreateAccount: createAccount,
  cryptoDelete: deleteAccount,
  cryptoDeleteAllowance: deleteAllowance,
  cryptoDeleteLiveHash: deleteLiveHash,
  cryptoTransfer: transferCrypto,
  cryptoUpdateAccount: updateAccount,
  ethereumTransaction: runEthereumTransaction,
  fileAppend: appendFile,
  fileCreate: createFile,
  fileDelete: deleteFile,
  fileUpdate: updateFile,
  freeze,
  hintsKeyPublication: takeNote,
  hintsPartialSignature: takeNote,
  hintsPreprocessingVote: takeNote,
  historyProofKeyPublication: takeNote,
  historyProofSignature: takeNote,
  historyProofVote: takeNote,
  lambdaSstore: storeInHook,
  ledgerIdPublication: takeNote,
  migrationRootHashVote: takeNote,
  nodeCreate: createNode,
  nodeDelete: deleteNode,
  nodeStakeUpdate: takeNote,
  nodeUpdate: updateNode,
  registeredNodeCreate: createRegisteredNode,
  registeredNodeDelete: deleteRegisteredNode,
  registeredNodeUpdate: updateRegisteredNode,
  scheduleCreate: createSchedule,
  scheduleDelete: deleteSchedule,
  scheduleSign: signSchedule,
  systemDelete,
  systemUndelete,
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
  uncheckedSubmit: submitUnchecked,
  utilPrng: drawRandom,
};
