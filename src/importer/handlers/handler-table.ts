// Every transaction type that contributes more than its transaction row and transfers. A type that is not listed is
// stored like any other, without an entity.

import { type TransactionFamily, typeNumber } from '../../protocol/hapi/transaction-types.ts';
import type { TransactionItem } from '../../protocol/stream/stream-block.ts';
import { cryptoApproveAllowance } from './account/crypto-approve-allowance.ts';
import { cryptoCreate } from './account/crypto-create.ts';
import { cryptoDelete } from './account/crypto-delete.ts';
import { cryptoDeleteAllowance } from './account/crypto-delete-allowance.ts';
import { cryptoAddLiveHash, cryptoDeleteLiveHash } from './account/crypto-live-hash.ts';
import { cryptoUpdate } from './account/crypto-update.ts';
import { contractCall } from './contract/contract-call.ts';
import { contractCreate } from './contract/contract-create.ts';
import { contractDelete } from './contract/contract-delete.ts';
import { contractUpdate } from './contract/contract-update.ts';
import { ethereumTransaction } from './contract/ethereum-transaction.ts';
import { fileAppend } from './file/file-append.ts';
import { fileCreate } from './file/file-create.ts';
import { fileDelete } from './file/file-delete.ts';
import { fileUpdate } from './file/file-update.ts';
import { systemDelete, systemUndelete } from './file/system-delete.ts';
import type { TransactionHandler } from '../block/item-context.ts';
import { hookStore } from './hook/hook-store.ts';
import { freeze } from './network/freeze.ts';
import { ledgerIdPublication } from './network/ledger-id-publication.ts';
import { nodeCreate, nodeDelete, nodeUpdate } from './network/node-change.ts';
import { nodeStakeUpdate } from './network/node-stake-update.ts';
import { prng } from './network/prng.ts';
import { registeredNodeCreate, registeredNodeDelete, registeredNodeUpdate } from './network/registered-node-change.ts';
import { scheduleCreate } from './schedule/schedule-create.ts';
import { scheduleDelete } from './schedule/schedule-delete.ts';
import { scheduleSign } from './schedule/schedule-sign.ts';
import { tokenFreeze, tokenGrantKyc, tokenRevokeKyc, tokenUnfreeze } from './token/token-account-status.ts';
import { tokenAirdrop, tokenCancelAirdrop, tokenClaimAirdrop } from './token/token-airdrop.ts';
import { tokenAssociate, tokenDissociate } from './token/token-associate.ts';
import { tokenCreate } from './token/token-create.ts';
import { tokenDelete } from './token/token-delete.ts';
import { tokenFeeScheduleUpdate } from './token/token-fee-schedule-update.ts';
import { tokenPause, tokenUnpause } from './token/token-pause.ts';
import { tokenReject } from './token/token-reject.ts';
import { tokenBurn, tokenMint, tokenWipe } from './token/token-supply.ts';
import { tokenUpdate } from './token/token-update.ts';
import { tokenUpdateNfts } from './token/token-update-nfts.ts';
import { topicCreate } from './topic/topic-create.ts';
import { topicDelete } from './topic/topic-delete.ts';
import { topicSubmitMessage } from './topic/topic-submit-message.ts';
import { topicUpdate } from './topic/topic-update.ts';

/** By family, as the table of transaction types has it: what each makes that not every transaction does. */
export const handlersByFamily: Readonly<Record<HandlerFamily, readonly TransactionHandler[]>> = {
  account: [
    cryptoAddLiveHash,
    cryptoApproveAllowance,
    cryptoCreate,
    cryptoDelete,
    cryptoDeleteAllowance,
    cryptoDeleteLiveHash,
    cryptoUpdate,
  ],
  contract: [contractCall, contractCreate, contractDelete, contractUpdate, ethereumTransaction],
  file: [fileAppend, fileCreate, fileDelete, fileUpdate, systemDelete, systemUndelete],
  hook: [hookStore],
  network: [
    freeze,
    ledgerIdPublication,
    nodeCreate,
    nodeDelete,
    nodeStakeUpdate,
    nodeUpdate,
    prng,
    registeredNodeCreate,
    registeredNodeDelete,
    registeredNodeUpdate,
  ],
  schedule: [scheduleCreate, scheduleDelete, scheduleSign],
  token: [
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
  ],
  topic: [topicCreate, topicDelete, topicSubmitMessage, topicUpdate],
};

type HandlerFamily = Exclude<TransactionFamily, 'generic' | 'internal'>;

const handlersByType: ReadonlyMap<number, TransactionHandler> = new Map(
  Object.values(handlersByFamily).flatMap((handlers) =>
    handlers.map((handler) => [typeNumber[handler.bodyField], handler] as const),
  ),
);

/** Undefined for types without a handler, and for bodies with data that could not be decoded. */
export function findHandler({ type, body }: Pick<TransactionItem, 'type' | 'body'>): TransactionHandler | undefined {
  const handler = handlersByType.get(type);
  return handler && body[handler.bodyField] ? handler : undefined;
}
