// A contract as the answer of contracts/{id} (reference: rest §3). Neither bytecode is ever null: nothing is `0x`.
import type { Contract } from '../../ledger/contracts/contract.ts';
import { formatHex } from '../values/hex-text.ts';
import {
  toJsonBoolean,
  toJsonEntityId,
  toJsonInteger,
  toJsonLongZeroAddress,
  toJsonString,
  toJsonTimestamp,
} from '../values/json-text.ts';
import { toJsonKey } from '../values/key-text.ts';

export function formatContractBody(contract: Contract): string {
  const evmAddress = contract.evmAddress ? `"${formatHex(contract.evmAddress)}"` : toJsonLongZeroAddress(contract.id);
  return `{"admin_key":${toJsonKey(contract.adminKey)},"auto_renew_account":${toJsonEntityId(contract.autoRenewAccountId)},"auto_renew_period":${toJsonInteger(contract.autoRenewPeriod)},"contract_id":${toJsonEntityId(contract.id)},"created_timestamp":${toJsonTimestamp(contract.createdTimestamp)},"deleted":${toJsonBoolean(contract.deleted)},"evm_address":${evmAddress},"expiration_timestamp":${toJsonTimestamp(contract.expirationTimestamp)},"file_id":${toJsonEntityId(contract.fileId)},"max_automatic_token_associations":${toJsonInteger(contract.maxAutomaticTokenAssociations)},"memo":${toJsonString(contract.memo)},"nonce":${toJsonInteger(contract.nonce)},"obtainer_id":${toJsonEntityId(contract.obtainerId)},"permanent_removal":${toJsonBoolean(contract.permanentRemoval)},"proxy_account_id":${toJsonEntityId(contract.proxyAccountId)},"timestamp":{"from":${toJsonTimestamp(contract.timestamp.from)},"to":${toJsonTimestamp(contract.timestamp.to)}},"bytecode":${formatBytecode(contract.bytecode)},"runtime_bytecode":"${formatHex(contract.runtimeBytecode)}"}`;
}

function formatBytecode(bytecode: Contract['bytecode']): string {
  if ('initcode' in bytecode) return `"${formatHex(bytecode.initcode)}"`;
  const { fileText } = bytecode;
  return toJsonString(fileText.startsWith('0x') ? fileText : `0x${fileText}`);
}
