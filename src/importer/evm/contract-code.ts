// Where the code of a created contract came from: a file, or bytes in the transaction itself. The sidecar knows both the
// creation code and what remained of it; children ask their parent for what their own body does not say.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import type { proto } from '../../protocol/hapi/hapi.ts';
import type { Row } from '../../store/schema/tables.ts';
import { nonEmpty } from '../columns/non-empty.ts';
import type { BlockItem, HandlerContext } from '../block/item-context.ts';
import { decodedEthereumTransaction } from './ethereum-data.ts';
import { sentInitcode } from './sent-to-evm.ts';

export function contractCode(item: BlockItem, context: HandlerContext): Row<'contract'> {
  const own = bodyCode(item.body.contractCreateInstance);
  const bytecode = sidecarBytecode(item, context);
  const inherited = parentCode(item.parent);
  return {
    file_id: own.fileId ?? inherited.fileId,
    initcode: own.initcode ?? nonEmpty(bytecode?.initcode) ?? sentInitcode(item, context) ?? inherited.initcode,
    runtime_bytecode: nonEmpty(bytecode?.runtimeBytecode),
  };
}

type Code = { fileId: bigint | null; initcode: Uint8Array | null };

const noCode: Code = { fileId: null, initcode: null };

function bodyCode(body: proto.IContractCreateTransactionBody | null | undefined): Code {
  return { fileId: toEntityId(body?.fileID) || null, initcode: nonEmpty(body?.initcode) };
}

function parentCode(parent: BlockItem | null): Code {
  if (parent?.body.contractCreateInstance) return bodyCode(parent.body.contractCreateInstance);
  const ethereum = parent?.body.ethereumTransaction;
  if (!parent || !ethereum) return noCode;
  const callDataId = toEntityId(ethereum.callData) || null;
  if (callDataId) return { fileId: callDataId, initcode: null };
  return { fileId: null, initcode: nonEmpty(decodedEthereumTransaction(parent)?.callData) };
}

/** The code that a sidecar of the transaction, or of its parent, has for this contract. */
function sidecarBytecode(item: BlockItem, context: HandlerContext): proto.IContractBytecode | null {
  for (const { bytecode, migration } of [...item.sidecars, ...(item.parent?.sidecars ?? [])]) {
    if (bytecode && !migration && context.lookup.contract(bytecode.contractId) === item.entityId) return bytecode;
  }
  return null;
}
