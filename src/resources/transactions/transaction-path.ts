// A transaction in a path: by its id `shard.realm.num-seconds-nanos`, or by its hash of 48 bytes, as hex or base64 of
// either alphabet. 64 hexadecimal digits are valid base64, too, but may also be the hash of an Ethereum transaction;
// with `0x` they can only be the latter.

import type { TransactionId } from '../../../packages/store/read/select-named-transactions.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { PathParameter } from '../../api/reading/query/parameter.ts';
import { parseTransactionId, transactionIdForm } from '../../api/reading/value/transaction-id.ts';

export type TransactionReference =
  | ({ kind: 'id' } & TransactionId)
  /** All possible readings of the text, the likeliest first. */
  | { kind: 'hash'; hashes: readonly Buffer[] };

const base64Form = /^[0-9A-Za-z+\-/_]{64}$/;
const hexForm = /^(?:0x)?([0-9A-Fa-f]{96})$/;
const ethereumForm = /^(?:0x)?([0-9A-Fa-f]{64})$/;
const anyForm = new RegExp(
  [transactionIdForm, base64Form, hexForm, ethereumForm].map(({ source }) => source).join('|'),
);

export const transactionInPath: PathParameter<TransactionReference> = {
  kind: 'transactionName',
  description:
    'Id as `shard.realm.num-seconds-nanos` (payer and valid start), or hash: 48 bytes as hexadecimal digits or as base64, also with `-` and `_`; the hash of an Ethereum transaction as 64 digits. Digits may have `0x` before them.',
  example: '0.0.1001-1586567700-453054000',
  form: () => anyForm,
  read(text, context) {
    if (base64Form.test(text)) {
      const hash = Buffer.from(text, 'base64');
      return { kind: 'hash', hashes: ethereumForm.test(text) ? [hash, Buffer.from(text, 'hex')] : [hash] };
    }
    const digits = (hexForm.exec(text) ?? ethereumForm.exec(text))?.[1];
    if (digits) return { kind: 'hash', hashes: [Buffer.from(digits, 'hex')] };
    const id = parseTransactionId(text, context);
    return id && { kind: 'id', ...id };
  },
  refuse: () => refuse('invalidTransactionId'),
};
