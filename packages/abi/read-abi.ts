// An ABI as compilers write it, read into what is used. Nothing in it is trusted: entries that are no entries are left
// out, and everything that can be of any size has a limit.
import type { Abi, AbiEvent, AbiFunction } from './abi.ts';
import { type AbiParameter, textOf, toAbiType } from './abi-type.ts';
import { signatureHash } from './selector.ts';

/** Large contracts have some hundreds. */
const maxEntries = 2_000;
/** Inputs, outputs, and what lies in tuples. */
const maxParametersOfEntry = 256;
const maxParameters = 20_000;
const maxTupleDepth = 8;
/** As signatures name them: an identifier of Solidity. */
const identifier = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;

type Budget = { ofEntry: number; ofAll: number };

/** `json`: parsed. Never throws; what cannot be read is left out. */
export function readAbi(json: unknown): Abi {
  const abi: Abi = { functions: [], events: [], errors: [], creation: [], hasReceive: false };
  if (!Array.isArray(json)) return abi;
  const budget = { ofEntry: 0, ofAll: maxParameters };
  const known = new Set<string>();
  for (const entry of json.slice(0, maxEntries)) {
    budget.ofEntry = maxParametersOfEntry;
    if (isObject(entry)) addEntry(abi, entry, budget, known);
  }
  return abi;
}

function addEntry(abi: Abi, entry: Members, budget: Budget, known: Set<string>): void {
  const type = own(entry, 'type') ?? 'function';
  if (type === 'receive') abi.hasReceive = true;
  if (type !== 'function' && type !== 'event' && type !== 'error' && type !== 'constructor') return;
  const inputs = readParameters(own(entry, 'inputs'), budget, 0);
  if (inputs === null) return;
  if (type === 'constructor') {
    abi.creation = inputs;
    return;
  }
  const name = own(entry, 'name');
  if (typeof name !== 'string' || !identifier.test(name)) return;
  const signature = `${name}(${textOf(inputs)})`;
  if (type === 'event') {
    const event = toEvent(entry, name, signature, inputs);
    const places = event.inputs.map(({ isIndexed }) => Number(isIndexed)).join('');
    if (isNew(known, `event ${signature} ${places} ${event.isAnonymous}`)) abi.events.push(event);
    return;
  }
  if (!isNew(known, `${type} ${signature}`)) return;
  const selector = signatureHash(signature).toString('hex', 0, 4);
  if (type === 'error') {
    abi.errors.push({ name, signature, selector, inputs });
    return;
  }
  const outputs = readParameters(own(entry, 'outputs') ?? [], budget, 0);
  if (outputs === null) return;
  abi.functions.push({ name, signature, selector, inputs, outputs, mutability: readMutability(entry) });
}

function toEvent(entry: Members, name: string, signature: string, inputs: AbiParameter[]): AbiEvent {
  const given = own(entry, 'inputs') as unknown[] | undefined;
  return {
    name,
    signature,
    topic: signatureHash(signature).toString('hex'),
    isAnonymous: own(entry, 'anonymous') === true,
    inputs: inputs.map((input, index) => ({
      ...input,
      isIndexed: own(given![index] as Members, 'indexed') === true,
    })),
  };
}

/** null = not all of them can be read. */
function readParameters(given: unknown, budget: Budget, depth: number): AbiParameter[] | null {
  if (given === undefined) return [];
  if (!Array.isArray(given) || depth > maxTupleDepth) return null;
  const read: AbiParameter[] = [];
  for (const parameter of given) {
    if (--budget.ofEntry < 0 || --budget.ofAll < 0 || !isObject(parameter)) return null;
    const name = own(parameter, 'name');
    const text = own(parameter, 'type');
    if (typeof text !== 'string') return null;
    const components = text.startsWith('tuple')
      ? readParameters(own(parameter, 'components'), budget, depth + 1)
      : null;
    const type = toAbiType(text, components);
    if (type === null) return null;
    read.push({ name: typeof name === 'string' && identifier.test(name) ? name : '', type });
  }
  return read;
}

/** Compilers before 0.4.16 wrote `constant` and `payable`. */
function readMutability(entry: Members): AbiFunction['mutability'] {
  const given = own(entry, 'stateMutability');
  if (given === 'pure' || given === 'view' || given === 'nonpayable' || given === 'payable') return given;
  if (own(entry, 'constant') === true) return 'view';
  return own(entry, 'payable') === true ? 'payable' : 'nonpayable';
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What prototypes have does not count. */
function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
