// A contract result as an item of contracts/results and of contracts/{id}/results, and as a single answer
// (docs/reference/rest-behaviour.md, Contract results). Prices, value and signature come from its Ethereum transaction;
// without one most of these are null.

import { Type } from '@sinclair/typebox';
import { toLegacyV } from '../../../packages/protocol/hapi/ethereum-transaction.ts';
import { isSuccess, responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import type { AuthorizationListItem } from '../../../packages/store/read/contract-result-row.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import { toUnsignedInteger } from '../../api/values/hex-text.ts';
import { toJsonLongZeroAddress, toJsonString } from '../../api/values/json-text.ts';
import { chosen, described, type Kind, listOf, toNullable } from '../../api/values/kind.ts';
import {
  bigInteger,
  blockHash,
  boolean,
  entityId,
  entityIds,
  evmAddress,
  evmWord,
  hex,
  hexQuantity,
  int32,
  int64,
  text,
  timestamp,
} from '../../api/values/kinds.ts';
import { array, from, members, nullable, optional, part, value } from '../../api/values/members.ts';
import { type Linked, pageOf } from '../../api/values/page-of.ts';
import type { ContractResult, ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { Page } from '../../ledger/question/page.ts';
import { responseCode } from '../transactions/response-code.ts';
import { contractAddress, longZeroAddress } from './contract-address.ts';
import { createContractLogKind } from './contract-log-members.ts';
import { decodedOfResult } from './decoded/decoded-members.ts';

/** Amounts and prices in tinybar, else in weibar. */
type InHbar = { hbar: boolean };
export type ContractResultPage = Page<ContractResult> & InHbar;
/** `partial`: the network kept no full result. */
export type ContractResultAnswer = ContractResultDetail & InHbar & { partial: boolean };

const weibarPerTinybar = 10_000_000_000n;

export function createContractResultsKind(context: ReadingContext): Kind<Linked<ContractResultPage>> {
  return inEitherUnit((unit) => {
    const { upToBlock, upToPosition, others } = createTables(context, unit);
    const item = members({ ...upToBlock, ...upToPosition, ...others }, { name: 'ContractResult' });
    return pageOf<ContractResult, ContractResultPage>('results', item, 'ContractResults');
  });
}

/** As in a list, with logs after the block and storage changes after the position. */
export function createContractResultDetailKind(context: ReadingContext): Kind<ContractResultAnswer> {
  return inEitherUnit<ContractResultAnswer>((unit) => {
    const { upToBlock, upToPosition, others } = createTables(context, unit);
    const table = {
      ...upToBlock,
      logs: array(createContractLogKind(context)),
      ...upToPosition,
      state_changes: array(stateChange),
      ...others,
    };
    return members(table, { name: 'ContractResultDetail' });
  });
}

function inEitherUnit<S extends InHbar>(create: (unit: InHbar) => Kind<S>): Kind<S> {
  const kinds = { tinybar: create({ hbar: true }), weibar: create({ hbar: false }) };
  return chosen(kinds, ({ hbar }: S) => (hbar ? 'tinybar' : 'weibar'));
}

const stateChange = members(
  {
    address: part(contractAddress),
    contract_id: entityId,
    slot: evmWord,
    value_read: evmWord,
    value_written: nullable(evmWord, 'Null where the slot was only read.'),
  },
  { name: 'StateChange' },
);

const emptyBloom = `"0x${'0'.repeat(512)}"`;

/** An absent filter is null; a stored empty one is 256 zero bytes. */
const bloom: Kind<Uint8Array | null> = {
  schema: hex.schema,
  write: (bytes) => (bytes?.length === 0 ? emptyBloom : hex.write(bytes)),
};

const sender: Kind<{ senderId: bigint | null; senderAlias: Uint8Array | null }> = {
  schema: Type.Unsafe({
    type: ['string', 'null'],
    pattern: '^0x[0-9a-f]*$',
    description: 'EVM address of the sender.',
  }),
  write: ({ senderId, senderAlias }) =>
    senderId === null && senderAlias?.length ? hex.write(senderAlias) : toJsonLongZeroAddress(senderId),
};

const amountText = 'Tinybar; weibar with `hbar=false`.';

/** Without columns of block and Ethereum transaction, in tinybar. */
const shortTable = {
  address: part(contractAddress),
  amount: nullable(bigInteger, amountText),
  bloom,
  call_result: hex,
  child: value(
    boolean,
    ({ parentConsensusTimestamp }: Pick<ContractResult, 'parentConsensusTimestamp'>) =>
      parentConsensusTimestamp !== null,
    'Whether another transaction caused it.',
  ),
  contract_id: entityId,
  created_contract_ids: entityIds,
  error_message: nullable(text, ({ errorMessage }: Pick<ContractResult, 'errorMessage'>) => errorMessage || null),
  from: part(sender),
  function_parameters: hex,
  gas_consumed: nullable(int64),
  gas_limit: int64,
  gas_used: nullable(int64),
  timestamp: from('consensusTimestamp', timestamp),
  to: from('contractId', longZeroAddress),
  hash: from(
    'transactionHash',
    value(hex, 'Hash of the Ethereum transaction (32 bytes) or of the transaction (48 bytes).'),
  ),
};

/** Of one contract. */
export function createResultsOfContractKind({ dialect }: ReadingContext) {
  const item = members(
    { ...shortTable, ...(dialect.hasOwnEndpoints ? decodedOfResult : {}) },
    { name: 'ResultOfContract' },
  );
  return pageOf('results', item, 'ResultsOfContract');
}

const withoutEthereum = 'Null where no Ethereum transaction led to the result.';

/** In three parts, between which a single result has more. `hbar`: amounts and prices in tinybar, else in weibar. */
function createTables({ dialect, settings: { network, delegationAddress } }: ReadingContext, { hbar }: InHbar) {
  const price = hbar ? tinybarPrice : hexQuantity;
  const chain: Kind<ContractResult> = {
    schema: hexQuantity.schema,
    write: (result) =>
      result.ethType === null ? `"0x${network.chainId.toString(16)}"` : hexQuantity.write(result.chainId),
  };
  const gasPrice: Kind<ContractResult> = {
    schema: toNullable(hexQuantity.schema),
    write({ ethType, gasPrice: ofEthereum, gasPriceTinybar: ofSystem }) {
      if (ethType !== null) return price.write(ofEthereum);
      return ofSystem === null ? 'null' : `"0x${ofSystem.toString(16)}"`;
    },
  };
  /** An Ethereum transaction may lack it: `0x`. */
  const priceOf = (name: 'maxFeePerGas' | 'maxPriorityFeePerGas'): Kind<ContractResult> => ({
    schema: toNullable(price.schema),
    write: (result) => (result.ethType === null ? 'null' : price.write(result[name])),
  });
  const feeText = `Tinybar; weibar with \`hbar=false\`. ${withoutEthereum}`;
  return {
    upToBlock: {
      ...shortTable,
      amount: nullable(bigInteger, (result: ContractResult) => toAmount(result, hbar), amountText),
      error_message: nullable(text, toErrorMessage),
      to: value(evmAddress, ({ toAddress, contractId }: ContractResult) => ({
        evmAddress: toAddress?.length ? toAddress : null,
        id: contractId,
      })),
      block_hash: blockHash,
      block_number: nullable(int64),
    },
    upToPosition: { result: from('transactionResult', responseCode), transaction_index: nullable(int32) },
    others: {
      status: value(
        dialect.status,
        (item: ContractResult) => isSuccess(item.transactionResult),
        'Whether it succeeded.',
      ),
      failed_initcode: nullable(hex, (item: ContractResult) =>
        item.failedInitcode?.length ? item.failedInitcode : null,
      ),
      access_list: value(dialect.accessList, ({ accessList }: ContractResult) => accessList ?? []),
      block_gas_used: nullable(int64),
      chain_id: part(chain),
      gas_price: part(described(gasPrice, 'Tinybar; weibar with `hbar=false` where an Ethereum transaction says it.')),
      max_fee_per_gas: part(described(priceOf('maxFeePerGas'), feeText)),
      max_priority_fee_per_gas: part(described(priceOf('maxPriorityFeePerGas'), feeText)),
      r: from('signatureR', nullable(hex, `Signature. ${withoutEthereum}`)),
      s: from('signatureS', nullable(hex, `Signature. ${withoutEthereum}`)),
      type: value(
        int32,
        ({ ethType }: ContractResult) => ethType ?? 0,
        'Type of the Ethereum transaction; 0 without one.',
      ),
      v: nullable(
        bigInteger,
        toSignatureV,
        `Signature: its recovery id, or V as a legacy transaction carries it. ${withoutEthereum}`,
      ),
      nonce: nullable(int64, `Nonce of the sender. ${withoutEthereum}`),
      ...(delegationAddress ? { authorization_list: authorizations } : {}),
      ...(dialect.hasOwnEndpoints ? decodedOfResult : {}),
    },
  };
}

/** An Ethereum transaction's value is weibar, the record's amount tinybar. */
function toAmount(result: ContractResult, hbar: boolean): bigint | null {
  if (result.ethType === null) {
    return result.amount === null || hbar ? result.amount : result.amount * weibarPerTinybar;
  }
  if (!result.value?.length) return null;
  const weibar = toUnsignedInteger(result.value);
  return hbar ? weibar / weibarPerTinybar : weibar;
}

/** From weibar. */
const tinybarPrice: Kind<Uint8Array | null> = {
  schema: hexQuantity.schema,
  write: (weibar) => (weibar?.length ? `"0x${(toUnsignedInteger(weibar) / weibarPerTinybar).toString(16)}"` : '"0x"'),
};

function toErrorMessage({ errorMessage, ethType, transactionResult }: ContractResult): string | null {
  if (errorMessage) return errorMessage;
  return ethType !== null && !isSuccess(transactionResult) ? responseCodeName(transactionResult) : null;
}

function toSignatureV({ ethType, signatureV, recoveryId, chainId }: ContractResult): bigint | null {
  if (ethType === 0 && signatureV?.length) return toUnsignedInteger(signatureV);
  if (recoveryId === null) return null;
  return (ethType === 0 ? toLegacyV(chainId, recoveryId) : null) ?? BigInt(recoveryId);
}

const authorization: Kind<AuthorizationListItem> = {
  schema: Type.Object({
    address: Type.String(),
    chain_id: Type.String(),
    nonce: bigInteger.schema,
    r: Type.String(),
    s: Type.String(),
    y_parity: hexQuantity.schema,
  }),
  write(item) {
    const pairs = Object.entries(item).map(
      ([name, stored]) => `${toJsonString(name)}:${toAuthorizationText(name, stored)}`,
    );
    return `{${pairs.join(',')}}`;
  },
};

const authorizations = optional(listOf(authorization), ({ ethType, authorizationList }: ContractResult) =>
  ethType === null ? undefined : (authorizationList ?? []),
);

/** Numbers in the stored list are parities in rows of an older importer, or nonces. */
function toAuthorizationText(name: string, stored: AuthorizationListItem[string]): string {
  if (typeof stored === 'string') return toJsonString(stored);
  return name === 'y_parity' && typeof stored === 'bigint' ? `"0x${stored.toString(16)}"` : String(stored);
}
