// The tree of calls within one contract transaction, flattened in call order with depths, as action sidecars have it.
import type { EVMResult, Message } from '@ethereumjs/evm';
import { proto } from '../../../src/protocol/hapi/hapi.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';
import { weibarPerTinybar } from './evm-accounts.ts';

export type ContractAction = proto.IContractAction;

export type ActionLog = {
  begin(gas: bigint): void;
  enter(message: Message): void;
  leave(result: EVMResult): void;
  /** Makes the outermost call fail with this error: a creation whose code cannot be paid for. */
  failOutermost(error: string): void;
  all(): ContractAction[];
  /** Initcode of contracts that contracts created, by the new contract's address in hex. */
  initcodes(): ReadonlyMap<string, Uint8Array>;
};

const { ContractActionType, CallOperationType } = proto;

export function createActionLog(idOf: (address: Uint8Array) => bigint): ActionLog {
  let actions: ContractAction[] = [];
  let initcodes = new Map<string, Uint8Array>();
  /** `initcode`: the message's on entry; the EVM clears it. */
  let open: { action: ContractAction; message: Message; initcode: Uint8Array }[] = [];

  return {
    begin: () => {
      actions = [];
      initcodes = new Map();
      open = [];
    },
    enter: (message) => {
      const parent = open.at(-1);
      const caller = idOf(message.caller.bytes);
      const creates = !message.to || (message.depth === 0 && message.code !== undefined);
      const callOperationType = operationOf(message, creates);
      const action: ContractAction = {
        callType: creates ? ContractActionType.CREATE : ContractActionType.CALL,
        ...(parent ? { callingContract: contractId(caller) } : { callingAccount: accountId(caller) }),
        gas: toLong(message.gasLimit),
        input: creates ? new Uint8Array() : message.data,
        value: toLong(message.value / weibarPerTinybar),
        callDepth: message.depth,
        callOperationType,
      };
      actions.push(action);
      open.push({ action, message, initcode: message.data });
    },
    leave: ({ execResult, createdAddress }) => {
      const { action, message, initcode } = open.pop()!;
      if (createdAddress && message.depth > 0) {
        initcodes.set(Buffer.from(createdAddress.bytes).toString('hex'), initcode);
      }
      const address = (createdAddress ?? message.codeAddress ?? message.to)?.bytes;
      const recipient = address ? idOf(address) : 0n;
      if (recipient === 0n) {
        if (address) action.targetedAddress = address;
      } else if (isContract(message)) action.recipientContract = contractId(recipient);
      else action.recipientAccount = accountId(recipient);
      action.gasUsed = toLong(execResult.executionGasUsed);
      const error = execResult.exceptionError?.error as string | undefined;
      if (!error) action.output = execResult.returnValue;
      else if (error === 'revert') action.revertReason = execResult.returnValue;
      else action.error = toErrorBytes(error);
    },
    failOutermost: (error) => {
      const [outermost] = actions;
      outermost!.error = toErrorBytes(error);
      delete outermost!.output;
    },
    all: () => actions,
    initcodes: () => initcodes,
  };
}

function toErrorBytes(error: string): Uint8Array {
  return Buffer.from(error.toUpperCase().replaceAll(' ', '_'));
}

function operationOf(message: Message, creates: boolean): proto.CallOperationType {
  if (creates) return message.salt ? CallOperationType.OP_CREATE2 : CallOperationType.OP_CREATE;
  if (message.delegatecall) return CallOperationType.OP_DELEGATECALL;
  return message.isStatic ? CallOperationType.OP_STATICCALL : CallOperationType.OP_CALL;
}

function isContract(message: Message): boolean {
  return message.code !== undefined && message.code.length > 0;
}
