// TransactionOutput (item 6): outputs of some transaction types. The rest of a receipt follows from the state changes.
import { bytesField, encodeVarint, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import type { StreamItem } from '../run/stream-item.ts';
import { encodeHookId } from './contract-states.ts';
import { joinFields, type MessageFields, splitFields } from './message-fields.ts';

/** Numbers of the oneof. */
const outputKinds = { prng: 1, call: 2, ethereum: 3, create: 4, scheduleCreate: 5, scheduleSign: 6, account: 7 };
/** Fields of TransactionRecord. */
const recordFields = { call: 7, create: 8, prngBytes: 19, prngNumber: 20, ethereumHash: 22 };
/** Fields of TransactionReceipt. */
const receiptFields = { account: 2, schedule: 12, scheduledTransaction: 13 };

/** `saysMore`: with the contracts that were created. */
export function toTransactionOutputs(
  item: StreamItem,
  record: MessageFields,
  receipt: MessageFields,
  saysMore: boolean,
): Buffer[] {
  return [
    prngOutput(item, record),
    evmOutput(item, record, saysMore),
    scheduleOutput(item, receipt),
    accountOutput(item, receipt),
  ]
    .filter((field) => field !== null)
    .map((field) => joinFields([field]));
}

function prngOutput({ kind, status }: StreamItem, record: MessageFields): WireField | null {
  if (kind !== 'utilPrng' || status !== 'SUCCESS') return null;
  const [bytes] = record.bytes(recordFields.prngBytes);
  // A number of 0 is written: it is a member of a oneof.
  const number = [Buffer.of(2 * 8), encodeVarint(record.integer(recordFields.prngNumber))];
  return messageField(outputKinds.prng, [bytes ? bytesField(1, bytes) : number]);
}

function evmOutput({ kind, executedHook }: StreamItem, record: MessageFields, saysMore: boolean): WireField | null {
  const [created] = record.bytes(recordFields.create);
  const result = created ?? record.bytes(recordFields.call)[0];
  if (kind === 'ethereumTransaction') {
    // Without a result if it was refused before its sender was known.
    if (!result)
      return record.bytes(recordFields.ethereumHash).length > 0 ? messageField(outputKinds.ethereum, []) : null;
    // Receiver and call data are in the Ethereum transaction.
    const fields = evmResultOf(splitFields(result), null, { withContext: false, saysMore });
    return messageField(outputKinds.ethereum, [messageField(created ? 2 : 1, fields)]);
  }
  if (!result) return null;
  const fields = evmResultOf(splitFields(result), executedHook, { withContext: true, saysMore });
  return messageField(created ? outputKinds.create : outputKinds.call, [messageField(1, fields)]);
}

/** ContractFunctionResult → EvmTransactionResult. */
function evmResultOf(
  from: MessageFields,
  hook: StreamItem['executedHook'],
  { withContext, saysMore }: { withContext: boolean; saysMore: boolean },
): WireField[] {
  const copy = (field: number, to: number) => from.bytes(field).map((bytes) => bytesField(to, bytes));
  const context = [intField(1, from.integer(10)), intField(2, from.integer(11)), ...copy(12, 3)];
  return [
    ...copy(13, 1), // sender
    ...copy(1, 2), // contract
    ...copy(2, 3), // result
    ...copy(3, 4), // error message
    intField(5, from.integer(5)),
    withContext && context.flat().length > 0 ? messageField(6, context) : [],
    hook ? bytesField(7, encodeHookId(hook)) : [],
    ...copy(14, 8), // nonces of contracts
    ...copy(15, 9), // nonce of the signer
    ...(saysMore ? copy(7, 10) : []), // created contracts
  ];
}

function scheduleOutput({ kind }: StreamItem, receipt: MessageFields): WireField | null {
  const [schedule] = receipt.bytes(receiptFields.schedule);
  const [scheduled] = receipt.bytes(receiptFields.scheduledTransaction);
  if (!scheduled) return null;
  if (kind === 'scheduleCreate' && schedule) {
    return messageField(outputKinds.scheduleCreate, [bytesField(1, schedule), bytesField(2, scheduled)]);
  }
  return kind === 'scheduleSign' ? messageField(outputKinds.scheduleSign, [bytesField(1, scheduled)]) : null;
}

function accountOutput({ kind }: StreamItem, receipt: MessageFields): WireField | null {
  const [account] = receipt.bytes(receiptFields.account);
  return kind === 'cryptoCreateAccount' && account ? messageField(outputKinds.account, [bytesField(1, account)]) : null;
}
