// Functions of a contract as a person chooses among them.
import type { Abi } from './abi.ts';
import type { AbiParameter } from './abi-type.ts';

export type ListedFunction = {
  name: string;
  signature: string;
  /** 0x and 8 hex digits. */
  selector: string;
  /** Whether a call changes nothing, so that it can be asked. */
  isRead: boolean;
  isPayable: boolean;
  inputs: ListedParameter[];
  outputs: ListedParameter[];
};

export type ListedParameter = {
  name: string;
  type: string;
  /** Members of a tuple, or of the tuples in a list. */
  members?: ListedParameter[];
};

/** In the order of the ABI. */
export function listFunctions(abi: Pick<Abi, 'functions'>): ListedFunction[] {
  return abi.functions.map(({ name, signature, selector, mutability, inputs, outputs }) => ({
    name,
    signature,
    selector: `0x${selector}`,
    isRead: mutability === 'view' || mutability === 'pure',
    isPayable: mutability === 'payable',
    inputs: inputs.map(toListed),
    outputs: outputs.map(toListed),
  }));
}

function toListed({ name, type }: AbiParameter): ListedParameter {
  let inner = type;
  while (inner.kind === 'list') inner = inner.item;
  const listed = { name, type: type.text };
  return inner.kind === 'tuple' ? { ...listed, members: inner.members.map(toListed) } : listed;
}
