// A contract as an answer (docs/reference/rest-behaviour.md, Contracts). Neither bytecode is ever null: nothing is
// `0x`.
import { Type } from '@sinclair/typebox';
import type { Contract, ListedContract } from '../../../ledger/contracts/contract.ts';
import { formatHex } from '../../values/hex-text.ts';
import { toJsonString } from '../../values/json-text.ts';
import type { Kind } from '../../values/kind.ts';
import { boolean, entityId, evmAddress, hex, int32, int64, key, seconds, text, timestamp } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { validity } from '../../values/validity.ts';

const bytecode: Kind<Contract['bytecode']> = {
  schema: Type.String({
    pattern: '^0x',
    description: 'Creation code in hex, as its file says it; `0x` where none is known.',
  }),
  write(code) {
    if ('initcode' in code) return `"${formatHex(code.initcode)}"`;
    const { fileText } = code;
    return toJsonString(fileText.startsWith('0x') ? fileText : `0x${fileText}`);
  },
};

/** Without the bytecodes: as it stands in lists. */
const contractTable = {
  admin_key: value(key, (contract: ListedContract) => contract.adminKey),
  auto_renew_account: value(entityId, (contract: ListedContract) => contract.autoRenewAccountId),
  auto_renew_period: nullable(seconds, (contract: ListedContract) => contract.autoRenewPeriod),
  contract_id: value(entityId, (contract: ListedContract) => contract.id),
  created_timestamp: nullable(timestamp, (contract: ListedContract) => contract.createdTimestamp),
  deleted: nullable(boolean, (contract: ListedContract) => contract.deleted),
  evm_address: value(evmAddress, (contract: ListedContract) => contract),
  expiration_timestamp: nullable(timestamp, (contract: ListedContract) => contract.expirationTimestamp),
  file_id: value(entityId, (contract: ListedContract) => contract.fileId),
  max_automatic_token_associations: nullable(
    int32,
    (contract: ListedContract) => contract.maxAutomaticTokenAssociations,
    '-1 for any number.',
  ),
  memo: value(text, (contract: ListedContract) => contract.memo),
  nonce: nullable(int64, (contract: ListedContract) => contract.nonce),
  obtainer_id: value(entityId, (contract: ListedContract) => contract.obtainerId),
  permanent_removal: nullable(boolean, (contract: ListedContract) => contract.permanentRemoval),
  proxy_account_id: value(entityId, (contract: ListedContract) => contract.proxyAccountId),
  timestamp: value(
    validity,
    (contract: ListedContract) => contract.timestamp,
    'When this version was valid; `to` is exclusive, and null while it is the current one.',
  ),
};

export const contractKind = members<Contract>(
  {
    ...contractTable,
    bytecode: value(bytecode, (contract) => contract.bytecode),
    runtime_bytecode: value(hex, (contract) => contract.runtimeBytecode),
  },
  { name: 'Contract' },
);

export const contractsKind = pageOf(
  'contracts',
  members<ListedContract>(contractTable, { name: 'ListedContract' }),
  'Contracts',
);
