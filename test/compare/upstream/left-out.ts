// What a checkout has and this program leaves out, or names otherwise, on purpose.
import type { LeftOut } from './describe-comparison.ts';

const formerNames = 'the HAPI package has the former name, of the same bytes';
const betweenNodes = 'sent between nodes, stored as it came';

export const leftOut: LeftOut = [
  { subject: /^TransactionBody 75$/, reason: formerNames },
  { subject: /^HookCreationDetails 3$/, reason: formerNames },
  {
    subject: /^(EvmHook|EvmHook(MappingEntry|MappingEntries|StorageSlot|StorageUpdate)|HookStoreTransactionBody)$/,
    reason: formerNames,
  },
  { subject: /^HistoryProof(KeyPublicationTransactionBody)? \d+$/, reason: betweenNodes },
  {
    subject: /^(AggregatedNodeSignatures|ChainOfTrustProof 1)$/,
    reason: 'read field by field where proofs are verified',
  },
  { subject: /^StringValue$/, reason: 'a wrapper of Google, which has no file in a checkout' },
  {
    subject: /^get \S+ query transactiontype (CRS|HINTS|HISTORY|STATESIGNATURE|MIGRATIONROOT|HOOKDISPATCH)/,
    reason: betweenNodes,
  },
  { subject: /access_list/, reason: 'a list in the answers, a text in the document' },
  {
    subject:
      /^get \/api\/v1\/contracts\/\{\}\/results results\[\]\.(block_\w+|chain_id|failed_initcode|gas_price|max_\w+|nonce|r|result|s|status|transaction_index|type|v)$/,
    reason: 'in the document, not in the answers',
  },
  { subject: /^get \/api\/v1\/contracts\/\{\}\/results query hbar$/, reason: 'taken, not in the document' },
  { subject: /^get \/api\/v1\/network\/supply query q$/, reason: 'taken, not in the document' },
  { subject: /^get \/api\/v1\/topics\/\{\} query _$/, reason: 'against caches' },
  { subject: /^get \S+\/airdrops\/\w+ query after$/, reason: 'of our next links' },
  { subject: /^post \/api\/v1\/network\/fees notes$/, reason: 'a price is exact, or not given' },
  { subject: /^get \/health\//, reason: 'in another document' },
];
