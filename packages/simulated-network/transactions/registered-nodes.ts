// Services around the network that register with it (HIP-1137).
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import type { TransactionBody } from '../../protocol/hapi/transaction-body.ts';
import { toLong } from '../ledger/hapi-values.ts';
import type { RegisteredNode } from '../ledger/ledger.ts';
import { type Execution, reject } from './execution.ts';

type Data<Kind extends keyof TransactionBody> = NonNullable<TransactionBody[Kind]>;

export function createRegisteredNode(x: Execution, data: Data<'registeredNodeCreate'>): void {
  if (data.serviceEndpoint.length === 0) reject('INVALID_REGISTERED_ENDPOINT');
  // Numbers of deleted nodes are not reused.
  const id = BigInt(x.ledger.tables.registeredNodes.size);
  x.ledger.put('registeredNodes', id, { id, deleted: false });
  x.outcome.receipt.registeredNodeId = toLong(id);
}

export function updateRegisteredNode(x: Execution, data: Data<'registeredNodeUpdate'>): void {
  livingNode(x, data.registeredNodeId);
}

export function deleteRegisteredNode(x: Execution, data: Data<'registeredNodeDelete'>): void {
  x.ledger.change('registeredNodes', livingNode(x, data.registeredNodeId).id, { deleted: true });
}

function livingNode(x: Execution, id: Parameters<typeof toBigInt>[0]): RegisteredNode {
  const node = x.ledger.tables.registeredNodes.get(toBigInt(id));
  if (!node || node.deleted) reject('INVALID_REGISTERED_NODE_ID');
  return node;
}
