// The tables that each type of transactions writes to by itself, beyond what every transaction may. The oracle's test
// compares it with what it sees; a type without a line does not compile.
import type { BodyField } from '../../packages/protocol/hapi/transaction-types.ts';
import type { TableName } from '../../packages/schema/tables.ts';

const hooks: TableName[] = ['hook', 'hook_storage', 'hook_storage_change'];
const evm: TableName[] = ['contract_result'];

export type TransactionRows = {
  tables: readonly TableName[];
  /** What the table names do not tell. */
  note?: string;
};

const nothing: TransactionRows = { tables: [] };
const internal: TransactionRows = { tables: [], note: 'what nodes tell each other; its data is not decoded' };

export const transactionRows: Readonly<Record<BodyField, TransactionRows>> = {
  contractCall: { tables: evm },
  contractCreateInstance: { tables: ['contract', ...evm, 'entity', ...hooks] },
  contractUpdateInstance: { tables: ['entity', ...hooks] },
  cryptoAddLiveHash: nothing,
  cryptoCreateAccount: { tables: ['entity', ...hooks] },
  cryptoDelete: { tables: ['entity'] },
  cryptoDeleteLiveHash: nothing,
  cryptoTransfer: { tables: [], note: 'takes from allowances in place; a hook that it calls has its own call' },
  cryptoUpdateAccount: { tables: ['entity', ...hooks] },
  fileAppend: { tables: ['file_data'], note: 'address books of files 101 and 102' },
  fileCreate: { tables: ['entity', 'file_data'] },
  fileDelete: { tables: ['entity'] },
  fileUpdate: { tables: ['entity', 'file_data'], note: 'address books of files 101 and 102' },
  systemDelete: { tables: ['entity'] },
  systemUndelete: { tables: ['entity'] },
  contractDeleteInstance: { tables: ['entity'] },
  freeze: { tables: ['network_freeze'] },
  consensusCreateTopic: { tables: ['custom_fee', 'entity', 'topic'] },
  consensusUpdateTopic: { tables: ['custom_fee', 'entity', 'topic'] },
  consensusDeleteTopic: { tables: ['entity'] },
  consensusSubmitMessage: { tables: ['topic_message'], note: 'without a row of `transaction_hash`' },
  uncheckedSubmit: nothing,
  tokenCreation: { tables: ['custom_fee', 'entity', 'token', 'token_account'] },
  tokenFreeze: { tables: ['token_account'] },
  tokenUnfreeze: { tables: ['token_account'] },
  tokenGrantKyc: { tables: ['token_account'] },
  tokenRevokeKyc: { tables: ['token_account'] },
  tokenDeletion: { tables: ['entity'] },
  tokenUpdate: { tables: ['entity', 'token'], note: 'a new treasury takes over all NFTs' },
  tokenMint: { tables: ['nft', 'token'], note: 'the supply changes in place' },
  tokenBurn: { tables: ['nft', 'token'], note: 'the supply changes in place' },
  tokenWipe: { tables: ['nft', 'token'], note: 'the supply changes in place' },
  tokenAssociate: { tables: ['token_account'] },
  tokenDissociate: { tables: ['token_account'], note: 'leaving a deleted token ends what was held of it' },
  scheduleCreate: { tables: ['entity', 'schedule', 'transaction_signature'] },
  scheduleDelete: { tables: ['entity'] },
  scheduleSign: { tables: ['transaction_signature'] },
  tokenFeeScheduleUpdate: { tables: ['custom_fee'] },
  tokenPause: { tables: ['token'] },
  tokenUnpause: { tables: ['token'] },
  cryptoApproveAllowance: { tables: ['crypto_allowance', 'nft', 'nft_allowance', 'token_allowance'] },
  cryptoDeleteAllowance: { tables: ['nft'] },
  ethereumTransaction: { tables: [...evm, 'ethereum_transaction'], note: 'the nonce of the sender in place' },
  nodeStakeUpdate: { tables: ['entity_stake', 'network_stake', 'node_stake'] },
  utilPrng: { tables: ['prng'] },
  tokenUpdateNfts: { tables: ['nft'] },
  nodeCreate: { tables: ['node'], note: 'bytes of transaction and record are kept' },
  nodeUpdate: { tables: ['node'], note: 'bytes of transaction and record are kept' },
  nodeDelete: { tables: ['node'], note: 'bytes of transaction and record are kept' },
  tokenReject: nothing,
  tokenAirdrop: { tables: ['token_airdrop'] },
  tokenCancelAirdrop: { tables: ['token_airdrop'] },
  tokenClaimAirdrop: { tables: ['token_account', 'token_airdrop'] },
  stateSignatureTransaction: internal,
  hintsPreprocessingVote: internal,
  hintsKeyPublication: internal,
  hintsPartialSignature: internal,
  historyProofSignature: internal,
  historyProofKeyPublication: internal,
  historyProofVote: internal,
  crsPublication: internal,
  atomicBatch: { tables: [], note: 'names its inner transactions, which have their own rows' },
  lambdaSstore: { tables: ['hook_storage', 'hook_storage_change'] },
  hookDispatch: nothing,
  ledgerIdPublication: { tables: ['ledger'] },
  registeredNodeCreate: { tables: ['registered_node'] },
  registeredNodeUpdate: { tables: ['registered_node'] },
  registeredNodeDelete: { tables: ['registered_node'] },
  migrationRootHashVote: nothing,
  clprUpdateLedgerConfiguration: nothing,
  clprRegisterChannel: nothing,
  clprCompleteChannel: nothing,
  clprCloseChannel: nothing,
  clprSubmitBundle: nothing,
  clprRedactMessage: nothing,
  clprRegisterConnector: nothing,
  clprDeregisterConnector: nothing,
  clprCompleteConnector: nothing,
  clprEndpointPublication: internal,
};
