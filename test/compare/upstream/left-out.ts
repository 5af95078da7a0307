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
];
