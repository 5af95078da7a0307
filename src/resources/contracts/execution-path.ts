// The execution in a path under contracts/results/{transactionIdOrHash}.

import { refuse } from '../../../packages/web-server/request-error.ts';
import type { PathParameter } from '../../api/reading/query/parameter.ts';
import { parseTransactionId, transactionIdForm } from '../../api/reading/value/transaction-id.ts';
import type { ExecutionName } from '../../ledger/contracts/create-contract-results.ts';

const hashForm = /^(?:0x)?[0-9A-Fa-f]{64}$/;

/** As if its nonce were 0. */
export const executionInPath: PathParameter<ExecutionName> = {
  kind: 'execution',
  description:
    'Transaction id (`shard.realm.num-seconds-nanoseconds`), or 32 bytes of hash in hex: of an Ethereum transaction, or the first ones of another.',
  example: '0.0.1001-1586567700-453054000',
  form: () => new RegExp(`${hashForm.source}|${transactionIdForm.source}`),
  read(text, context) {
    if (hashForm.test(text)) return { kind: 'hash', hash: Buffer.from(text.replace(/^0x/, ''), 'hex') };
    const id = parseTransactionId(text, context);
    return id && { kind: 'id', ...id, nonce: 0n };
  },
  refuse: () => refuse('invalidTransactionId'),
};
