// A contract as an answer (docs/reference/rest-behaviour.md, Contracts). Neither bytecode is ever null: an absent one
// is `0x`.
import { Type } from '@sinclair/typebox';
import { toJsonString } from '../../api/values/json-text.ts';
import type { Kind } from '../../api/values/kind.ts';
import { boolean, entityId, hex, int32, int64, key, seconds, text, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, part, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { contractAddress } from './contract-address.ts';

/** From text in hex, or bytes. */
const bytecode: Kind<string | Buffer | null> = {
  schema: Type.String({
    pattern: '^0x',
    description: 'Creation code in hex, as its file says it; `0x` where none is known.',
  }),
  write(code) {
    if (typeof code !== 'string') return hex.write(code);
    const digits = code.startsWith('0x') ? code.slice(2) : code;
    // Code is long: searching for characters to escape, 16 instructions each, was a third of the cost of a contract.
    return isHex(digits) ? `"0x${digits}"` : toJsonString(`0x${digits}`);
  },
};

function isHex(text: string): boolean {
  return Buffer.from(text, 'hex').length * 2 === text.length;
}

/** Without the bytecodes, for lists. */
const contractTable = {
  admin_key: key,
  auto_renew_account: entityId,
  auto_renew_period: nullable(seconds),
  contract_id: entityId,
  created_timestamp: nullable(timestamp),
  deleted: nullable(boolean),
  evm_address: part(contractAddress),
  expiration_timestamp: nullable(timestamp),
  file_id: entityId,
  max_automatic_token_associations: nullable(int32, '-1 for any number.'),
  memo: text,
  nonce: nullable(int64),
  obtainer_id: entityId,
  permanent_removal: nullable(boolean),
  proxy_account_id: entityId,
  timestamp: value(validity, 'When this version was valid; `to` is exclusive, and null while it is the current one.'),
};

export const contractKind = members({ ...contractTable, bytecode, runtime_bytecode: hex }, { name: 'Contract' });

export const contractsKind = pageOf('contracts', members(contractTable, { name: 'ListedContract' }), 'Contracts');
