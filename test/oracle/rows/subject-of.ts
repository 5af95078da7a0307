// The entity of each transaction type, the `entity_id` of answers. Written from the messages of HAPI, not from the
// importer; one line for each type, and a type without a line has no entity.
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';
import type { TransactionBody, TransactionRecord } from '../../../packages/protocol/hapi/transaction-body.ts';
import type { BodyField, FieldOf, TransactionFamily } from '../../../packages/protocol/hapi/transaction-types.ts';

type Subject = { body: TransactionBody; record: TransactionRecord };
type Receipt = NonNullable<TransactionRecord['receipt']>;

/** Finds the account of an EVM address or alias; 0n if unknown. */
export type FindByName = (name: Buffer) => bigint;

/** 0n for none. */
export function subjectOf({ body, record }: Subject, findByName: FindByName): bigint {
  const account = (id: proto.IAccountID | null | undefined): bigint =>
    id?.alias?.length ? findByName(Buffer.from(id.alias)) : toEntityId(id);
  const contract = (id: proto.IContractID | null | undefined): bigint =>
    id?.evmAddress?.length ? findByName(Buffer.from(id.evmAddress)) : toEntityId(id);
  const receipt: Receipt = record.receipt ?? {};
  const payer = account(body.transactionID?.accountID);
  const fileOrContract = (target: proto.ISystemDeleteTransactionBody | proto.ISystemUndeleteTransactionBody): bigint =>
    target.contractID ? contract(target.contractID) : toEntityId(target.fileID);

  const subjects: Subjects = {
    // What comes to be is named by the receipt.
    consensusCreateTopic: () => toEntityId(receipt.topicID),
    contractCreateInstance: () => contract(receipt.contractID),
    cryptoCreateAccount: () => toEntityId(receipt.accountID),
    fileCreate: () => toEntityId(receipt.fileID),
    scheduleCreate: () => toEntityId(receipt.scheduleID),
    tokenCreation: () => toEntityId(receipt.tokenID),
    // Existing ones are in the body; contracts in the receipt first.
    consensusDeleteTopic: ({ topicID }) => toEntityId(topicID),
    consensusSubmitMessage: ({ topicID }) => toEntityId(topicID),
    consensusUpdateTopic: ({ topicID }) => toEntityId(topicID),
    contractCall: ({ contractID }) => contract(receipt.contractID) || contract(contractID),
    contractDeleteInstance: ({ contractID }) => contract(receipt.contractID) || contract(contractID),
    contractUpdateInstance: ({ contractID }) => contract(receipt.contractID) || contract(contractID),
    cryptoAddLiveHash: ({ liveHash }) => account(liveHash?.accountId),
    cryptoDelete: ({ deleteAccountID }) => account(deleteAccountID),
    cryptoDeleteLiveHash: ({ accountOfLiveHash }) => account(accountOfLiveHash),
    // By number only: an update by alias has none.
    cryptoUpdateAccount: ({ accountIDToUpdate }) => toEntityId(accountIDToUpdate),
    ethereumTransaction: () => contract((record.contractCreateResult ?? record.contractCallResult)?.contractID),
    fileAppend: ({ fileID }) => toEntityId(fileID),
    fileDelete: ({ fileID }) => toEntityId(fileID),
    fileUpdate: ({ fileID }) => toEntityId(fileID),
    freeze: ({ updateFile }) => toEntityId(updateFile),
    lambdaSstore: ({ hookId }) => contract(hookId?.entityId?.contractId) || account(hookId?.entityId?.accountId),
    nodeCreate: ({ accountId }) => account(accountId),
    nodeUpdate: ({ accountId }) => account(accountId),
    scheduleDelete: ({ scheduleID }) => toEntityId(scheduleID),
    scheduleSign: ({ scheduleID }) => toEntityId(scheduleID),
    systemDelete: fileOrContract,
    systemUndelete: fileOrContract,
    // The relation of an account to a token is about the account, all else about the token.
    tokenAssociate: (data) => account(data.account),
    tokenDissociate: (data) => account(data.account),
    tokenFreeze: (data) => account(data.account),
    tokenGrantKyc: (data) => account(data.account),
    tokenRevokeKyc: (data) => account(data.account),
    tokenUnfreeze: (data) => account(data.account),
    tokenReject: ({ owner }) => account(owner) || payer,
    tokenBurn: ({ token }) => toEntityId(token),
    tokenDeletion: ({ token }) => toEntityId(token),
    tokenFeeScheduleUpdate: ({ tokenId }) => toEntityId(tokenId),
    tokenMint: ({ token }) => toEntityId(token),
    tokenPause: ({ token }) => toEntityId(token),
    tokenUnpause: ({ token }) => toEntityId(token),
    tokenUpdate: ({ token }) => toEntityId(token),
    tokenUpdateNfts: ({ token }) => toEntityId(token),
    tokenWipe: ({ token }) => toEntityId(token),
    cryptoApproveAllowance: nobody,
    cryptoDeleteAllowance: nobody,
    ledgerIdPublication: nobody,
    nodeDelete: nobody,
    nodeStakeUpdate: nobody,
    registeredNodeCreate: nobody,
    registeredNodeDelete: nobody,
    registeredNodeUpdate: nobody,
    tokenAirdrop: nobody,
    tokenCancelAirdrop: nobody,
    tokenClaimAirdrop: nobody,
    utilPrng: nobody,
  };
  for (const [field, subject] of Object.entries(subjects)) {
    const data = body[field as BodyField];
    if (data) return (subject as (data: object) => bigint)(data);
  }
  return 0n;
}

/** Types that make rows themselves; all others are about no entity. */
type Subjects = {
  [Field in FieldOf<Exclude<TransactionFamily, 'generic' | 'internal'>>]: (
    data: NonNullable<TransactionBody[Field]>,
  ) => bigint;
};

const nobody = (): bigint => 0n;
