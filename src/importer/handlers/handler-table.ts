// Every transaction type that contributes more than its transaction row and transfers. A type that is not listed is
// stored like any other, without an entity.
import type { TransactionHandler } from '../handler.ts';
import { contractCall } from './contract-call.ts';
import { contractCreate } from './contract-create.ts';
import { contractDelete } from './contract-delete.ts';
import { contractUpdate } from './contract-update.ts';
import { cryptoApproveAllowance } from './crypto-approve-allowance.ts';
import { cryptoCreate } from './crypto-create.ts';
import { cryptoDelete } from './crypto-delete.ts';
import { cryptoDeleteAllowance } from './crypto-delete-allowance.ts';
import { cryptoAddLiveHash, cryptoDeleteLiveHash } from './crypto-live-hash.ts';
import { cryptoUpdate } from './crypto-update.ts';
import { ethereumTransaction } from './ethereum-transaction.ts';
import { fileAppend } from './file-append.ts';
import { fileCreate } from './file-create.ts';
import { fileDelete } from './file-delete.ts';
import { fileUpdate } from './file-update.ts';
import { freeze } from './freeze.ts';
import { nodeCreate, nodeDelete, nodeUpdate } from './node-change.ts';
import { nodeStakeUpdate } from './node-stake-update.ts';
import { prng } from './prng.ts';
import { scheduleCreate } from './schedule-create.ts';
import { scheduleDelete } from './schedule-delete.ts';
import { scheduleSign } from './schedule-sign.ts';
import { systemDelete, systemUndelete } from './system-delete.ts';
import { tokenFreeze, tokenGrantKyc, tokenRevokeKyc, tokenUnfreeze } from './token-account-status.ts';
import { tokenAirdrop, tokenCancelAirdrop, tokenClaimAirdrop } from './token-airdrop.ts';
import { tokenAssociate, tokenDissociate } from './token-associate.ts';
import { tokenCreate } from './token-create.ts';
import { tokenDelete } from './token-delete.ts';
import { tokenFeeScheduleUpdate } from './token-fee-schedule-update.ts';
import { tokenPause, tokenUnpause } from './token-pause.ts';
import { tokenReject } from './token-reject.ts';
import { tokenBurn, tokenMint, tokenWipe } from './token-supply.ts';
import { tokenUpdate } from './token-update.ts';
import { tokenUpdateNfts } from './token-update-nfts.ts';
import { topicCreate } from './topic-create.ts';
import { topicDelete } from './topic-delete.ts';
import { topicSubmitMessage } from './topic-submit-message.ts';
import { topicUpdate } from './topic-update.ts';

const handlers: readonly TransactionHandler[] = [
  contractCall,
  contractCreate,
  contractDelete,
  contractUpdate,
  cryptoAddLiveHash,
  cryptoApproveAllowance,
  cryptoCreate,
  cryptoDelete,
  cryptoDeleteAllowance,
  cryptoDeleteLiveHash,
  cryptoUpdate,
  ethereumTransaction,
  fileAppend,
  fileCreate,
  fileDelete,
  fileUpdate,
  freeze,
  nodeCreate,
  nodeDelete,
  nodeStakeUpdate,
  nodeUpdate,
  prng,
  scheduleCreate,
  scheduleDelete,
  scheduleSign,
  systemDelete,
  systemUndelete,
  tokenAirdrop,
  tokenAssociate,
  tokenBurn,
  tokenCancelAirdrop,
  tokenClaimAirdrop,
  tokenCreate,
  tokenDelete,
  tokenDissociate,
  tokenFeeScheduleUpdate,
  tokenFreeze,
  tokenGrantKyc,
  tokenMint,
  tokenPause,
  tokenReject,
  tokenRevokeKyc,
  tokenUnfreeze,
  tokenUnpause,
  tokenUpdate,
  tokenUpdateNfts,
  tokenWipe,
  topicCreate,
  topicDelete,
  topicSubmitMessage,
  topicUpdate,
];

export const handlersByType: ReadonlyMap<number, TransactionHandler> = new Map(
  handlers.map((handler) => [handler.type, handler]),
);
