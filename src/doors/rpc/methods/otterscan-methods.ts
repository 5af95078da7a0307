// `ots_…` of Otterscan: what its page of a transaction asks, from the calls that the network recorded, and with which it
// begins. It sends in batches.

import { blockOfState } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { either, usually } from '../reading/kind.ts';
import { address, type BlockReference, transactionHash } from '../reading/kinds.ts';
import { about, type Method, method, plain } from '../reading/method.ts';
import { plainBlockNumber } from '../reading/plain-numbers.ts';
import { type Operation, toDepthList, toOperations } from '../shapes/otterscan.ts';
import { reasonOf } from '../shapes/receipt.ts';
import { getHeader } from './block-methods.ts';
import { otterscanBlockMethods } from './otterscan-block-methods.ts';
import { otterscanSearchMethods, readCalls } from './otterscan-search-methods.ts';
import { getCode } from './state-methods.ts';
import { findExecution } from './transaction-methods.ts';

async function hasCode(context: RpcContext, account: Buffer, reference: BlockReference): Promise<boolean> {
  return (await getCode(context, account, reference)) !== '0x';
}

async function getOperations(context: RpcContext, hash: Buffer): Promise<Operation[]> {
  const root = await readCalls(context, hash);
  return root ? toOperations(root) : [];
}

async function traceTransaction(context: RpcContext, hash: Buffer) {
  const root = await readCalls(context, hash);
  return root ? toDepthList(root) : [];
}

/** What a contract reverted with; a failure that the network names has no bytes. */
async function getError({ ledger }: RpcContext, hash: Buffer): Promise<string> {
  const row = await findExecution(ledger, hash);
  return row?.errorMessage?.startsWith('0x') ? (reasonOf(row) ?? '0x') : '0x';
}

/** All methods of Otterscan are there. */
const apiLevel = 8;

export const otterscanMethods: Readonly<Record<string, Method>> = {
  ...otterscanBlockMethods,
  ...otterscanSearchMethods,
  erigon_getHeaderByNumber: about(
    ['number or tag'],
    'as `eth_getHeaderByNumber`: Otterscan asks it first',
    method([plainBlockNumber], getHeader),
  ),
  ots_getApiLevel: about(
    [],
    `${apiLevel}: all methods of Otterscan are there`,
    plain(() => apiLevel),
  ),
  ots_getInternalOperations: about(
    ['hash of a transaction'],
    'moved values and creations inside of it, without those that were undone. See Traces',
    method([transactionHash], getOperations),
  ),
  ots_getTransactionError: about(
    ['hash of a transaction'],
    'the bytes that it reverted with; 0x where there are none',
    method([transactionHash], getError),
  ),
  ots_hasCode: about(
    ['address', 'block: tag, number, hash or object; without it the newest'],
    'whether `eth_getCode` answers a code',
    method([address, usually(either(plainBlockNumber, blockOfState), { kind: 'newest' })], hasCode),
  ),
  ots_traceTransaction: about(
    ['hash of a transaction'],
    'its calls as a list, each with its depth. See Traces',
    method([transactionHash], traceTransaction),
  ),
};
