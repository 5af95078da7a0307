// A contract result as an item of contracts/results and of contracts/{id}/results, and as an answer of its own
// (docs/reference/rest-behaviour.md, Contract results). Where an Ethereum transaction led to it, that says the prices, the
// value and the signature; else most of these are null.
import { Type } from '@sinclair/typebox';
import type {
  AuthorizationListItem,
  ContractResult,
  ContractResultDetail,
  EthereumTransactionPart,
  StateChange,
} from '../../../ledger/contracts/contract-result.ts';
import type { Page } from '../../../ledger/question/page.ts';
import { isSuccess, responseCodeName } from '../../../protocol/hapi/response-codes.ts';
import type { ReadingContext } from '../../reading/query/context.ts';
import { toUnsignedInteger } from '../../values/hex-text.ts';
import { toJsonLongZeroAddress, toJsonString } from '../../values/json-text.ts';
import { type Kind, listOf, toNullable } from '../../values/kind.ts';
import {
  bigInteger,
  blockHash,
  entityId,
  evmAddress,
  evmWord,
  hex,
  hexQuantity,
  int32,
  int64,
  links,
  text,
  timestamp,
} from '../../values/kinds.ts';
import { array, type Member, members, nullable, optional, value } from '../../values/members.ts';
import type { Linked } from '../../values/page-of.ts';
import { pageOf } from '../../values/page-of.ts';
import { responseCode } from '../transactions/response-code.ts';
import { contractLogKind } from './contract-log-members.ts';

export type ContractResultPage = Page<ContractResult> & {
  /** Amounts and prices in tinybar, else in weibar. */
  hbar: boolean;
};

const weibarPerTinybar = 10_000_000_000n;

export function createContractResultsKind(context: ReadingContext): Kind<Linked<ContractResultPage>> {
  const inTinybar = listOf(createContractResultKind(context, { hbar: true }));
  const inWeibar = listOf(createContractResultKind(context, { hbar: false }));
  const results: Kind<ContractResultPage> = {
    ...inTinybar,
    write: ({ hbar, items }) => (hbar ? inTinybar : inWeibar).write(items),
  };
  return members<Linked<ContractResultPage>>(
    { results: value(results, (page) => page), links: value(links, ({ link }) => link) },
    { name: 'ContractResults' },
  );
}

/** Of one contract: without what block and Ethereum transaction say, in tinybar. */
export function createResultsOfContractKind(context: ReadingContext): Kind<Linked<Page<ContractResult>>> {
  const table = createContractResultTable(context, { hbar: true });
  const item = members<ContractResult>(Object.fromEntries(shortMembers.map((name) => [name, table[name]!])), {
    name: 'ResultOfContract',
  });
  return pageOf('results', item, 'ResultsOfContract');
}

const shortMembers = [
  'address',
  'amount',
  'bloom',
  'call_result',
  'contract_id',
  'created_contract_ids',
  'error_message',
  'from',
  'function_parameters',
  'gas_consumed',
  'gas_limit',
  'gas_used',
  'timestamp',
  'to',
  'hash',
];

export type ContractResultAnswer = ContractResultDetail & {
  /** Amounts and prices in tinybar, else in weibar. */
  hbar: boolean;
};

export function createContractResultDetailKind(context: ReadingContext): Kind<ContractResultAnswer> {
  const inTinybar = members(createDetailTable(context, { hbar: true }), { name: 'ContractResultDetail' });
  const inWeibar = members(createDetailTable(context, { hbar: false }), { name: 'ContractResultDetail' });
  return { ...inTinybar, write: (answer) => (answer.hbar ? inTinybar : inWeibar).write(answer) };
}

/** As in a list, with logs after the block and storage changes after the position. */
function createDetailTable(
  context: ReadingContext,
  options: { hbar: boolean },
): Record<string, Member<ContractResultDetail>> {
  const table: Record<string, Member<ContractResultDetail>> = {};
  for (const [name, member] of Object.entries(createContractResultTable(context, options))) {
    table[name] = member;
    if (name === 'block_number') table.logs = array(contractLogKind, ({ logs }) => logs);
    if (name === 'transaction_index') table.state_changes = array(stateChangeKind, (result) => result.stateChanges);
  }
  return table;
}

const stateChangeKind = members<StateChange>(
  {
    address: value(evmAddress, ({ contractEvmAddress, contractId }) => ({
      evmAddress: contractEvmAddress,
      id: contractId,
    })),
    contract_id: value(entityId, (change) => change.contractId),
    slot: value(evmWord, (change) => change.slot),
    value_read: value(evmWord, (change) => change.valueRead),
    value_written: nullable(evmWord, (change) => change.valueWritten, 'Null where the slot was only read.'),
  },
  { name: 'StateChange' },
);

/** `hbar`: amounts and prices in tinybar, else in weibar. */
function createContractResultKind(context: ReadingContext, { hbar }: { hbar: boolean }): Kind<ContractResult> {
  return members<ContractResult>(createContractResultTable(context, { hbar }), { name: 'ContractResult' });
}

function createContractResultTable(
  { dialect, settings: { chainId, delegationAddress } }: ReadingContext,
  { hbar }: { hbar: boolean },
): Record<string, Member<ContractResult>> {
  const price = hbar ? tinybarPrice : hexQuantity;
  const systemChainId = `"0x${chainId.toString(16)}"`;
  const chain: Kind<EthereumTransactionPart | null> = {
    schema: hexQuantity.schema,
    write: (ethereum) => (ethereum ? hexQuantity.write(ethereum.chainId) : systemChainId),
  };
  const gasPrice: Kind<ContractResult> = {
    schema: hexQuantity.schema,
    write: ({ ethereum, gasPriceTinybar }) =>
      ethereum
        ? price.write(ethereum.gasPrice)
        : gasPriceTinybar === null
          ? 'null'
          : `"0x${gasPriceTinybar.toString(16)}"`,
  };
  return {
    address: value(evmAddress, ({ contractEvmAddress, contractId }) => ({
      evmAddress: contractEvmAddress,
      id: contractId,
    })),
    amount: nullable(bigInteger, (item) => toAmount(item, hbar), 'Tinybar; weibar with `hbar=false`.'),
    bloom: value(bloom, (item) => item.bloom),
    call_result: value(hex, (item) => item.callResult),
    contract_id: value(entityId, (item) => item.contractId),
    created_contract_ids: array(entityId, (item) => item.createdContractIds),
    error_message: nullable(text, toErrorMessage),
    from: value(sender, (item) => item),
    function_parameters: value(hex, (item) => item.functionParameters),
    gas_consumed: nullable(int64, (item) => item.gasConsumed),
    gas_limit: value(int64, (item) => item.gasLimit),
    gas_used: nullable(int64, (item) => item.gasUsed),
    timestamp: value(timestamp, (item) => item.consensusTimestamp),
    to: value(evmAddress, ({ ethereum, contractId }) => ({
      evmAddress: ethereum?.toAddress?.length ? ethereum.toAddress : null,
      id: contractId,
    })),
    hash: value(
      hex,
      (item) => item.transactionHash,
      'Hash of the Ethereum transaction (32 bytes) or of the transaction (48 bytes).',
    ),
    block_hash: value(blockHash, (item) => item.block?.hash ?? ''),
    block_number: nullable(int64, ({ block }) => (block ? block.number : null)),
    result: value(responseCode, (item) => item.transactionResult),
    transaction_index: nullable(int32, (item) => item.transactionIndex),
    status: value(dialect.status, (item) => isSuccess(item.transactionResult), 'Whether it succeeded.'),
    failed_initcode: nullable(hex, (item) => (item.failedInitcode?.length ? item.failedInitcode : null)),
    access_list: value(dialect.accessList, ({ ethereum }) => ethereum?.accessList ?? []),
    block_gas_used: nullable(int64, ({ block }) => (block ? block.gasUsed : null)),
    chain_id: value(chain, (item) => item.ethereum),
    gas_price: nullable(
      gasPrice,
      (item) => item,
      'Tinybar; weibar with `hbar=false` where an Ethereum transaction says it.',
    ),
    max_fee_per_gas: ofEthereum(price, (ethereum) => ethereum.maxFeePerGas, 'Tinybar; weibar with `hbar=false`.'),
    max_priority_fee_per_gas: ofEthereum(
      price,
      (ethereum) => ethereum.maxPriorityFeePerGas,
      'Tinybar; weibar with `hbar=false`.',
    ),
    r: ofEthereum(hex, (ethereum) => ethereum.signatureR, 'Signature.'),
    s: ofEthereum(hex, (ethereum) => ethereum.signatureS, 'Signature.'),
    type: value(int32, ({ ethereum }) => ethereum?.type ?? 0, 'Type of the Ethereum transaction; 0 without one.'),
    v: nullable(
      bigInteger,
      ({ ethereum }) => ethereum && toSignatureV(ethereum),
      `Signature: its recovery id, or V as a legacy transaction carries it. ${withoutEthereum}`,
    ),
    nonce: nullable(
      int64,
      ({ ethereum }) => (ethereum ? ethereum.nonce : null),
      `Nonce of the sender. ${withoutEthereum}`,
    ),
    ...(delegationAddress
      ? { authorization_list: optional(listOf(authorization), ({ ethereum }) => ethereum?.authorizationList) }
      : {}),
  };
}

const withoutEthereum = 'Null where no Ethereum transaction led to the result.';

/** A member that only an Ethereum transaction gives; what it lacks itself is written by `kind`. */
function ofEthereum<T>(
  kind: Kind<T>,
  get: (ethereum: EthereumTransactionPart) => T,
  description: string,
): Member<ContractResult> {
  const ofResult: Kind<ContractResult> = {
    schema: toNullable(kind.schema),
    write: ({ ethereum }) => (ethereum ? kind.write(get(ethereum)) : 'null'),
  };
  return value(ofResult, (item: ContractResult) => item, `${description} ${withoutEthereum}`);
}

/** An Ethereum transaction's value is weibar, the record's amount tinybar. */
function toAmount({ amount, ethereum }: ContractResult, hbar: boolean): bigint | null {
  if (!ethereum) return amount === null || hbar ? amount : amount * weibarPerTinybar;
  if (!ethereum.value?.length) return null;
  const weibar = toUnsignedInteger(ethereum.value);
  return hbar ? weibar / weibarPerTinybar : weibar;
}

/** From weibar. */
const tinybarPrice: Kind<Uint8Array | null> = {
  schema: hexQuantity.schema,
  write: (weibar) => (weibar?.length ? `"0x${(toUnsignedInteger(weibar) / weibarPerTinybar).toString(16)}"` : '"0x"'),
};

const emptyBloom = `"0x${'0'.repeat(512)}"`;

/** None stored is nothing; stored but empty is a filter of 256 zero bytes. */
const bloom: Kind<Uint8Array | null> = {
  schema: hex.schema,
  write: (bytes) => (bytes?.length === 0 ? emptyBloom : hex.write(bytes)),
};

function toErrorMessage({ errorMessage, ethereum, transactionResult }: ContractResult): string | null {
  if (errorMessage) return errorMessage;
  return ethereum && !isSuccess(transactionResult) ? responseCodeName(transactionResult) : null;
}

const sender: Kind<ContractResult> = {
  schema: Type.Unsafe({
    type: ['string', 'null'],
    pattern: '^0x[0-9a-f]*$',
    description: 'EVM address of the sender.',
  }),
  write: ({ senderId, senderAlias }) =>
    senderId === null && senderAlias?.length ? hex.write(senderAlias) : toJsonLongZeroAddress(senderId),
};

function toSignatureV({ type, signatureV, recoveryId }: EthereumTransactionPart): bigint | null {
  if (type === 0 && signatureV?.length) return toUnsignedInteger(signatureV);
  return recoveryId === null ? null : BigInt(recoveryId);
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

/** Numbers in the stored list are parities of rows that an older importer wrote, or nonces. */
function toAuthorizationText(name: string, stored: AuthorizationListItem[string]): string {
  if (typeof stored === 'string') return toJsonString(stored);
  return name === 'y_parity' && typeof stored === 'bigint' ? `"0x${stored.toString(16)}"` : String(stored);
}
