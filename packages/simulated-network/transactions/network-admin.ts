// Network administration: nodes of the address book, freezes, random numbers, stake at the end of a period, batches.
import { createHash } from 'node:crypto';
import type { com, proto } from '@hashgraph/proto';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { nsPerSecond, toLong } from '../ledger/hapi-values.ts';
import type { LedgerNode } from '../ledger/ledger.ts';
import { assertAdministrator, type Execution, reject } from './execution.ts';

type NodeBodies = typeof com.hedera.hapi.node.addressbook;

export function createNode(x: Execution, data: Parameters<NodeBodies['NodeCreateTransactionBody']['encode']>[0]): void {
  assertAdministrator(x);
  const nodeId = x.ledger.take('nextNode');
  const node: LedgerNode = {
    nodeId,
    account: toEntityId(data.accountId),
    description: data.description ?? '',
    deleted: false,
  };
  x.ledger.put('nodes', nodeId, node);
  x.outcome.receipt.nodeId = toLong(nodeId);
}

export function updateNode(x: Execution, data: Parameters<NodeBodies['NodeUpdateTransactionBody']['encode']>[0]): void {
  assertAdministrator(x);
  const node = livingNode(x, data.nodeId);
  x.ledger.change('nodes', node.nodeId, {
    account: data.accountId ? toEntityId(data.accountId) : node.account,
    description: data.description?.value ?? node.description,
  });
  x.outcome.receipt.nodeId = toLong(node.nodeId);
}

export function deleteNode(x: Execution, data: Parameters<NodeBodies['NodeDeleteTransactionBody']['encode']>[0]): void {
  assertAdministrator(x);
  const node = livingNode(x, data.nodeId);
  x.ledger.change('nodes', node.nodeId, { deleted: true });
  x.outcome.receipt.nodeId = toLong(node.nodeId);
}

export function freeze(x: Execution, data: proto.IFreezeTransactionBody): void {
  assertAdministrator(x);
  const start = toBigInt(data.startTime?.seconds) * nsPerSecond;
  // An abort (4) needs no time, a prepared upgrade (2) has none, and the old form (0) names hours.
  if ([1, 3, 5].includes(data.freezeType ?? 0) && start <= x.consensusTimestamp)
    reject('FREEZE_START_TIME_MUST_BE_FUTURE');
}

export function drawRandom(x: Execution, data: proto.IUtilPrngTransactionBody): void {
  const range = data.range ?? 0;
  if (range < 0) reject('INVALID_PRNG_RANGE');
  const seed = createHash('sha384').update(`${x.blockNumber}:${x.consensusTimestamp}`).digest();
  if (range === 0) x.outcome.record.prngBytes = seed;
  else x.outcome.record.prngNumber = seed.readUInt32BE(0) % range;
}

export function runBatch(x: Execution, data: proto.IAtomicBatchTransactionBody): void {
  const transactions = data.transactions ?? [];
  if (transactions.length === 0) reject('BATCH_LIST_EMPTY');
  x.outcome.innerTransactions = transactions;
}

function livingNode(x: Execution, id: Parameters<typeof toBigInt>[0]): LedgerNode {
  const node = x.ledger.tables.nodes.get(toBigInt(id));
  if (!node || node.deleted) reject('INVALID_NODE_ID');
  return node;
}
