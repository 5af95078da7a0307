// The bodies of contracts/{contractIdOrAddress} and contracts/results.
import { Type } from '@sinclair/typebox';
import type { Dialect } from '../dialect/dialect.ts';
import {
  bigInteger,
  entityId,
  evmAddress,
  hex,
  hexQuantity,
  int32,
  int64,
  key,
  links,
  nullable,
  reference,
  responseCode,
  seconds,
  timestamp,
} from './value-schemas.ts';

/** `delegationAddress` as in the settings. */
export function createContractSchemas(dialect: Dialect, { delegationAddress }: { delegationAddress: boolean }) {
  return {
    Contract: contractSchema,
    ContractResults: Type.Object({ results: Type.Array(reference('ContractResult')), links }),
    ContractResult: Type.Object({
      ...resultMembers,
      status: { ...dialect.schemas.status, description: 'Whether it succeeded.' },
      access_list: dialect.schemas.accessList,
      ...(delegationAddress ? { authorization_list: Type.Optional(Type.Array(authorizationSchema)) } : {}),
    }),
  };
}

const contractSchema = Type.Object({
  admin_key: nullable(key),
  auto_renew_account: nullable(entityId),
  auto_renew_period: nullable(seconds),
  contract_id: nullable(entityId),
  created_timestamp: nullable(timestamp),
  deleted: nullable(Type.Boolean()),
  evm_address: nullable(evmAddress),
  expiration_timestamp: nullable(timestamp),
  file_id: nullable(entityId),
  max_automatic_token_associations: nullable({ ...int32, description: '-1 for any number.' }),
  memo: Type.String(),
  nonce: nullable(int64),
  obtainer_id: nullable(entityId),
  permanent_removal: nullable(Type.Boolean()),
  proxy_account_id: nullable(entityId),
  timestamp: Type.Object(
    { from: nullable(timestamp), to: nullable(timestamp) },
    { description: 'When this version was valid; `to` is exclusive, and null while it is the current one.' },
  ),
  bytecode: Type.String({
    pattern: '^0x',
    description: 'Creation code in hex, as its file says it; `0x` where none is known.',
  }),
  runtime_bytecode: hex,
});

const ofEthereum = (what: string) => ({ description: `${what} Null where no Ethereum transaction led to the result.` });

const resultMembers = {
  address: nullable({ ...hex, description: 'EVM address of the contract.' }),
  amount: nullable({ ...bigInteger, description: 'Tinybar; weibar with `hbar=false`.' }),
  bloom: hex,
  call_result: hex,
  contract_id: nullable(entityId),
  created_contract_ids: Type.Array(nullable(entityId)),
  error_message: nullable(Type.String()),
  from: nullable({ ...hex, description: 'EVM address of the sender.' }),
  function_parameters: hex,
  gas_consumed: nullable(int64),
  gas_limit: int64,
  gas_used: nullable(int64),
  timestamp,
  to: nullable({ ...hex, description: 'EVM address of the receiver.' }),
  hash: { ...hex, description: 'Hash of the Ethereum transaction (32 bytes) or of the transaction (48 bytes).' },
  block_hash: { ...hex, description: 'Hash of the record file; `0x` where it is not known.' },
  block_number: nullable(int64),
  result: responseCode,
  transaction_index: nullable(int32),
  failed_initcode: nullable(hex),
  block_gas_used: nullable(int64),
  chain_id: hexQuantity,
  gas_price: nullable({
    ...hexQuantity,
    description: 'Tinybar; weibar with `hbar=false` where an Ethereum transaction says it.',
  }),
  max_fee_per_gas: nullable({ ...hexQuantity, ...ofEthereum('Tinybar; weibar with `hbar=false`.') }),
  max_priority_fee_per_gas: nullable({ ...hexQuantity, ...ofEthereum('Tinybar; weibar with `hbar=false`.') }),
  r: nullable({ ...hex, ...ofEthereum('Signature.') }),
  s: nullable({ ...hex, ...ofEthereum('Signature.') }),
  type: { ...int32, description: 'Type of the Ethereum transaction; 0 without one.' },
  v: nullable({ ...bigInteger, ...ofEthereum('Signature: its recovery id, or V as a legacy transaction carries it.') }),
  nonce: nullable({ ...int64, ...ofEthereum('Nonce of the sender.') }),
};

const authorizationSchema = Type.Object({
  address: Type.String(),
  chain_id: Type.String(),
  nonce: bigInteger,
  r: Type.String(),
  s: Type.String(),
  y_parity: int32,
});
