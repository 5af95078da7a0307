import { describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import type { ContractResult } from '../../ledger/contracts/create-contract-results.ts';
import { createContractResultsKind, createResultsOfContractKind } from './contract-result-members.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

const plain = {
  amount: null,
  bloom: null,
  callResult: null,
  consensusTimestamp: 1n,
  contractId: null,
  evmAddress: null,
  createdContractIds: null,
  errorMessage: null,
  failedInitcode: null,
  functionParameters: bytes(''),
  parentConsensusTimestamp: null,
  synthetic: false,
  functionResult: null,
  gasConsumed: null,
  gasPriceTinybar: null,
  gasLimit: 0n,
  gasUsed: null,
  payerAccountId: 2n,
  senderId: null,
  senderAlias: null,
  transactionHash: null,
  transactionIndex: null,
  transactionResult: 22,
  ...{ blockHash: null, blockNumber: null, blockGasUsed: null },
  ...{ ethType: null, accessList: null, authorizationList: null, chainId: null, gasPrice: null, maxFeePerGas: null },
  ...{
    maxPriorityFeePerGas: null,
    nonce: null,
    recoveryId: null,
    signatureR: null,
    signatureS: null,
    signatureV: null,
  },
  ...{ toAddress: null, value: null },
};

const ethereum = { ethType: 2, nonce: 0n, recoveryId: 1, signatureR: bytes('01'), signatureS: bytes('02') };

type Style = { hbar?: boolean; authorizationList?: boolean };

function format(item: Partial<ContractResult>, { hbar = true, authorizationList = false }: Style = {}): string {
  const settings = { ...defaultHttpSettings, delegationAddress: authorizationList };
  const kind = createContractResultsKind({ dialect: findDialect('hiero'), settings });
  return kind.write({ items: [{ ...plain, ...item } as ContractResult], hbar, next: null, link: null });
}

function members(item: Partial<ContractResult>, style?: Style): Record<string, unknown> {
  return (JSON.parse(format(item, style)) as { results: Record<string, unknown>[] }).results[0]!;
}

it.each<[string, Partial<ContractResult>, Record<string, unknown>]>([
  ['nothing is known', {}, { address: null, from: null, to: null, bloom: '0x', hash: '0x', block_hash: '0x', v: null }],
  ['an empty bloom is all zero', { bloom: bytes('') }, { bloom: `0x${'0'.repeat(512)}` }],
  ['a sender known by its alias alone', { senderAlias: bytes('ab'.repeat(20)) }, { from: `0x${'ab'.repeat(20)}` }],
  ['contract 0 is none', { contractId: 0n }, { contract_id: null, address: null, to: null }],
  ['gas price of its hour', { gasPriceTinybar: 89n }, { gas_price: '0x59' }],
  ['failed initcode', { failedInitcode: bytes('60') }, { failed_initcode: '0x60' }],
  [
    'a failure that says why',
    { transactionResult: 33, errorMessage: '0x08c3' },
    { status: '0x0', error_message: '0x08c3' },
  ],
  ['a failure without words', { transactionResult: 33 }, { result: 'CONTRACT_REVERT_EXECUTED', error_message: null }],
  [
    '… of an Ethereum transaction',
    { transactionResult: 33, ...ethereum },
    { error_message: 'CONTRACT_REVERT_EXECUTED' },
  ],
  ['successes', { transactionResult: 104 }, { status: '0x1', result: 'FEE_SCHEDULE_FILE_PART_UPLOADED' }],
  ['newer response codes', { transactionResult: 528 }, { result: 'TOO_MANY_HOOK_INVOCATIONS' }],
  ['unknown response codes', { transactionResult: 9999 }, { result: 'UNKNOWN' }],
  [
    'an Ethereum transaction that says little',
    ethereum,
    { chain_id: '0x', gas_price: '0x', amount: null, v: 1, type: 2 },
  ],
  [
    'a legacy signature of a chain, without its V',
    { ...ethereum, ethType: 0, signatureV: null, chainId: bytes('0128') },
    { v: 2 * 0x128 + 35 + 1, type: 0, chain_id: '0x128' },
  ],
  ['… of no chain', { ...ethereum, ethType: 0, signatureV: bytes(''), chainId: bytes('') }, { v: 1, type: 0 }],
  ['… of a later type', { ...ethereum, ethType: 1, chainId: bytes('0128') }, { v: 1, type: 1 }],
  ['what nothing caused', {}, { child: false }],
  ['what another transaction caused', { parentConsensusTimestamp: 5n }, { child: true }],
  ['a legacy signature', { ...ethereum, ethType: 0, signatureV: bytes('0272') }, { v: 626, type: 0 }],
  ['a receiver', { contractId: 5n, ...ethereum, toAddress: bytes('cd'.repeat(20)) }, { to: `0x${'cd'.repeat(20)}` }],
])('%s', (_name, item, expected) => {
  expect(members(item)).toMatchObject(expected);
});

it('the receiver is shown by its number, whatever address it has', () => {
  const contract = { contractId: 5n, evmAddress: bytes('ef'.repeat(20)) };
  const shown = { address: `0x${'ef'.repeat(20)}`, to: `0x${'5'.padStart(40, '0')}` };
  expect(members(contract)).toMatchObject(shown);
  const page = { items: [{ ...plain, ...contract } as ContractResult], next: null, link: null };
  expect(
    (
      JSON.parse(
        createResultsOfContractKind({ dialect: findDialect('hiero'), settings: defaultHttpSettings }).write(page),
      ) as {
        results: unknown[];
      }
    ).results[0],
  ).toMatchObject(shown);
});

describe('units', () => {
  const paid = { ...ethereum, value: bytes('8ac7230489e80000'), gasPrice: bytes('ad78ebc5ac620000') };

  it('tinybar', () => {
    expect(members(paid)).toMatchObject({ amount: 1_000_000_000, gas_price: '0x4a817c80' });
    expect(members({ amount: 7n })).toMatchObject({ amount: 7 });
  });

  it('weibar, exactly', () => {
    const body = format(paid, { hbar: false });
    expect(body).toContain('"amount":10000000000000000000,');
    expect(body).toContain('"gas_price":"0xad78ebc5ac620000"');
    expect(members({ amount: 7n }, { hbar: false })).toMatchObject({ amount: 70_000_000_000 });
  });
});

it('authorizations are shown when asked for, last', () => {
  const item = { address: '0x01', chain_id: '0x128', nonce: 3n, r: '0x0a', s: '0x0b', y_parity: 1 };
  const shown = members({ ...ethereum, authorizationList: [item] }, { authorizationList: true });
  expect(Object.keys(shown).at(-1)).toBe('authorization_list');
  expect(shown.authorization_list).toEqual([{ ...item, nonce: 3 }]);
  expect(members({}, { authorizationList: true })).not.toHaveProperty('authorization_list');
});

it.each([
  [{ y_parity: '0x1', nonce: 2n, address: '0xab' }, '{"y_parity":"0x1","nonce":2,"address":"0xab"}'],
  [{ address: '0xab', y_parity: 1n }, '{"address":"0xab","y_parity":"0x1"}'],
])('authorizations go out as they are stored: %#', (stored, expected) => {
  const body = format({ ...ethereum, authorizationList: [stored] }, { authorizationList: true });
  expect(body).toContain(`"authorization_list":[${expected}]`);
});
