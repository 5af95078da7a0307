// The transaction types with a price that depends on the transaction alone, and what is counted for it. Those that run
// code, carry others, move tokens (custom fees are the token's) or may create accounts are excluded.
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import type { TransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import { type TransactionType, transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { type Extra, extras } from './extras.ts';

export type PricedService = {
  functionality: proto.HederaFunctionality;
  /** Every extra that the schedule can charge; null = something cannot be counted. */
  count(body: TransactionBody): Partial<Record<Extra, number>> | null;
};

const { HederaFunctionality: F } = proto;
type BodyField = TransactionType['bodyField'];
type Key = proto.IKey | null | undefined;

/** Fixed price, whatever their content. */
const flat = {
  consensusDeleteTopic: F.ConsensusDeleteTopic,
  contractDeleteInstance: F.ContractDelete,
  cryptoDelete: F.CryptoDelete,
  fileDelete: F.FileDelete,
  nodeCreate: F.NodeCreate,
  nodeDelete: F.NodeDelete,
  nodeUpdate: F.NodeUpdate,
  scheduleDelete: F.ScheduleDelete,
  scheduleSign: F.ScheduleSign,
  tokenBurn: F.TokenBurn,
  tokenCancelAirdrop: F.TokenCancelAirdrop,
  tokenClaimAirdrop: F.TokenClaimAirdrop,
  tokenDeletion: F.TokenDelete,
  tokenDissociate: F.TokenDissociateFromAccount,
  tokenFeeScheduleUpdate: F.TokenFeeScheduleUpdate,
  tokenFreeze: F.TokenFreezeAccount,
  tokenGrantKyc: F.TokenGrantKycToAccount,
  tokenPause: F.TokenPause,
  tokenReject: F.TokenReject,
  tokenRevokeKyc: F.TokenRevokeKycFromAccount,
  tokenUnfreeze: F.TokenUnfreezeAccount,
  tokenUnpause: F.TokenUnpause,
  tokenWipe: F.TokenAccountWipe,
  utilPrng: F.UtilPrng,
} satisfies Partial<Record<BodyField, proto.HederaFunctionality>>;

const counted = {
  consensusCreateTopic: {
    functionality: F.ConsensusCreateTopic,
    count({ consensusCreateTopic: topic }) {
      if (topic!.feeExemptKeyList?.length) return null;
      return withKeys([topic!.adminKey, topic!.submitKey, topic!.feeScheduleKey], {
        [extras.CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE]: topic!.customFees?.length ? 1 : 0,
      });
    },
  },
  consensusUpdateTopic: {
    functionality: F.ConsensusUpdateTopic,
    count({ consensusUpdateTopic: topic }) {
      if (topic!.feeExemptKeyList?.keys?.length) return null;
      return withKeys([topic!.adminKey, topic!.submitKey, topic!.feeScheduleKey]);
    },
  },
  contractUpdateInstance: {
    functionality: F.ContractUpdate,
    count: ({ contractUpdateInstance: contract }) => withKeys([contract!.adminKey], hookUpdates(contract!)),
  },
  cryptoApproveAllowance: {
    functionality: F.CryptoApproveAllowance,
    count: ({ cryptoApproveAllowance: approved }) => ({
      [extras.ALLOWANCES]: [approved!.cryptoAllowances, approved!.tokenAllowances, approved!.nftAllowances].flat()
        .length,
    }),
  },
  cryptoCreateAccount: {
    functionality: F.CryptoCreate,
    count: ({ cryptoCreateAccount: account }) => withKeys([account!.key], hookUpdates(account!)),
  },
  cryptoDeleteAllowance: {
    functionality: F.CryptoDeleteAllowance,
    count: ({ cryptoDeleteAllowance: deleted }) => ({ [extras.ALLOWANCES]: deleted!.nftAllowances?.length ?? 0 }),
  },
  cryptoTransfer: { functionality: F.CryptoTransfer, count: countTransfer },
  cryptoUpdateAccount: {
    functionality: F.CryptoUpdate,
    count: ({ cryptoUpdateAccount: account }) => withKeys([account!.key], hookUpdates(account!)),
  },
  fileAppend: {
    functionality: F.FileAppend,
    count: ({ fileAppend: file }) => ({ [extras.STATE_BYTES]: file!.contents?.length ?? 0 }),
  },
  fileCreate: {
    functionality: F.FileCreate,
    count: ({ fileCreate: file }) =>
      withKeys(file!.keys?.keys ?? [], { [extras.STATE_BYTES]: file!.contents?.length ?? 0 }),
  },
  fileUpdate: {
    functionality: F.FileUpdate,
    count: ({ fileUpdate: file }) =>
      withKeys(file!.keys?.keys ?? [], { [extras.STATE_BYTES]: file!.contents?.length ?? 0 }),
  },
  scheduleCreate: {
    functionality: F.ScheduleCreate,
    count: ({ scheduleCreate: schedule }) =>
      withKeys([schedule!.adminKey], {
        [extras.SCHEDULE_CREATE_CONTRACT_CALL_BASE]: schedule!.scheduledTransactionBody?.contractCall ? 1 : 0,
      }),
  },
  tokenAssociate: {
    functionality: F.TokenAssociateToAccount,
    count: ({ tokenAssociate: association }) => ({ [extras.TOKEN_ASSOCIATE]: association!.tokens?.length ?? 0 }),
  },
  tokenCreation: {
    functionality: F.TokenCreate,
    count: ({ tokenCreation: token }) =>
      withKeys(tokenKeys(token!), { [extras.TOKEN_CREATE_WITH_CUSTOM_FEE]: token!.customFees?.length ? 1 : 0 }),
  },
  tokenMint: {
    functionality: F.TokenMint,
    count({ tokenMint: minted }) {
      const count = minted!.metadata?.length ?? 0;
      return { [extras.TOKEN_MINT_NFT_BASE]: count > 0 ? 1 : 0, [extras.TOKEN_MINT_NFT]: count };
    },
  },
  tokenUpdate: {
    functionality: F.TokenUpdate,
    count: ({ tokenUpdate: token }) => withKeys(tokenKeys(token!)),
  },
} satisfies Partial<Record<BodyField, PricedService>>;

/** Have no price here. */
const unpriced = {
  // Run code.
  contractCall: null,
  contractCreateInstance: null,
  ethereumTransaction: null,
  lambdaSstore: null,
  hookDispatch: null,
  // Carry others.
  atomicBatch: null,
  // Custom fees are the topic's or the token's, or accounts may be created.
  consensusSubmitMessage: null,
  tokenAirdrop: null,
  // Only the network, or those who govern it, send them.
  freeze: null,
  systemDelete: null,
  systemUndelete: null,
  uncheckedSubmit: null,
  nodeStakeUpdate: null,
  stateSignatureTransaction: null,
  hintsPreprocessingVote: null,
  hintsKeyPublication: null,
  hintsPartialSignature: null,
  historyProofSignature: null,
  historyProofKeyPublication: null,
  historyProofVote: null,
  crsPublication: null,
  ledgerIdPublication: null,
  migrationRootHashVote: null,
  clprEndpointPublication: null,
  // Their extras are not counted yet.
  cryptoAddLiveHash: null,
  cryptoDeleteLiveHash: null,
  tokenUpdateNfts: null,
  registeredNodeCreate: null,
  registeredNodeUpdate: null,
  registeredNodeDelete: null,
  clprUpdateLedgerConfiguration: null,
  clprRegisterChannel: null,
  clprCompleteChannel: null,
  clprCloseChannel: null,
  clprSubmitBundle: null,
  clprRedactMessage: null,
  clprRegisterConnector: null,
  clprDeregisterConnector: null,
  clprCompleteConnector: null,
} satisfies Partial<Record<BodyField, null>>;

/** Of every type: a new one has to be in one of the three. */
const services: Record<BodyField, proto.HederaFunctionality | PricedService | null> = {
  ...flat,
  ...counted,
  ...unpriced,
};

/** By number of the transaction type. */
export const pricedServices: ReadonlyMap<number, PricedService> = new Map(
  transactionTypes.flatMap(({ bodyField, number }): [number, PricedService][] => {
    const service = services[bodyField];
    const priced = typeof service === 'number' ? { functionality: service, count: () => ({}) } : service;
    return priced ? [[number, priced]] : [];
  }),
);

/** hbar between accounts named by their ids: with other names it may create accounts. */
function countTransfer({ cryptoTransfer }: TransactionBody): Partial<Record<Extra, number>> | null {
  const amounts = cryptoTransfer!.transfers?.accountAmounts ?? [];
  const isPlain = amounts.every(
    ({ accountID, preTxAllowanceHook, prePostTxAllowanceHook }) =>
      accountID?.accountNum && !preTxAllowanceHook && !prePostTxAllowanceHook,
  );
  if (!isPlain || cryptoTransfer!.tokenTransfers?.length) return null;
  return {
    [extras.ACCOUNTS]: new Set(amounts.map(({ accountID }) => String(accountID!.accountNum))).size,
    [extras.FUNGIBLE_TOKENS]: 0,
    [extras.GAS]: 0,
    [extras.HOOK_EXECUTION]: 0,
    [extras.TOKEN_TRANSFER_BASE]: 0,
    [extras.TOKEN_TRANSFER_BASE_CUSTOM_FEES]: 0,
  };
}

type WithHooks = { hookCreationDetails?: readonly unknown[] | null; hookIdsToDelete?: readonly unknown[] | null };

function hookUpdates({ hookCreationDetails, hookIdsToDelete }: WithHooks): Partial<Record<Extra, number>> {
  return { [extras.HOOK_UPDATES]: (hookCreationDetails?.length ?? 0) + (hookIdsToDelete?.length ?? 0) };
}

type TokenKeys = Partial<
  Record<`${'admin' | 'kyc' | 'freeze' | 'wipe' | 'supply' | 'feeSchedule' | 'pause' | 'metadata'}Key`, Key>
>;

function tokenKeys(token: TokenKeys): Key[] {
  const { adminKey, kycKey, freezeKey, wipeKey, supplyKey, feeScheduleKey, pauseKey, metadataKey } = token;
  return [adminKey, kycKey, freezeKey, wipeKey, supplyKey, feeScheduleKey, pauseKey, metadataKey];
}

function withKeys(keys: readonly Key[], counts: Partial<Record<Extra, number>> = {}): typeof counts | null {
  const count = countKeys(keys);
  return count === null ? null : { ...counts, [extras.KEYS]: count };
}

/** Signing keys, including those in lists; null = one is a contract. */
function countKeys(keys: readonly Key[]): number | null {
  let count = 0;
  for (const key of keys) {
    if (!key) continue;
    const list = key.keyList ?? key.thresholdKey?.keys;
    const within = list ? countKeys(list.keys ?? []) : key.ed25519 || key.ECDSASecp256k1 ? 1 : null;
    if (within === null) return null;
    count += within;
  }
  return count;
}
