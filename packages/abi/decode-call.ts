// What calls, their results, logs and reverts say, read with an ABI. null = nothing in the ABI fits the data. Nothing
// here throws, whatever data and ABI are.
import type { Abi, AbiError, AbiEvent, AbiFunction } from './abi.ts';
import type { AbiParameter } from './abi-type.ts';
import { type DecodeLimits, decodeParameters, decodeWord, encodedSize } from './decode-parameters.ts';
import type { DecodedCall, DecodedValue } from './decoded-value.ts';
import { readAbi } from './read-abi.ts';

const selectorBytes = 4;

/** The function that the data calls, with its arguments; `receive()` for none if the contract has it. */
export function decodeCall(abi: Abi, data: Buffer, limits?: DecodeLimits): DecodedCall | null {
  if (data.length === 0) return abi.hasReceive ? { name: 'receive', signature: 'receive()', arguments: [] } : null;
  return decodeSelected(abi.functions, data, limits);
}

/** The function that the data calls. */
export function findCalled(abi: Abi, data: Buffer): AbiFunction | null {
  const selector = data.toString('hex', 0, selectorBytes);
  return abi.functions.find((one) => one.selector === selector) ?? null;
}

/**
 * The arguments of the constructor, which follow the code in what creates a contract. No selector says that the data is
 * that: it must be exactly as long as its values.
 */
export function decodeCreation(abi: Abi, data: Buffer, limits?: DecodeLimits): DecodedCall | null {
  const values = decodeParameters(abi.creation, data, limits);
  if (values === null || encodedSize(abi.creation, values) !== data.length) return null;
  const types = abi.creation.map(({ type }) => type.text).join(',');
  return { name: 'constructor', signature: `constructor(${types})`, arguments: values };
}

/** What a function returned. */
export function decodeOutput(
  { outputs }: Pick<AbiFunction, 'outputs'>,
  data: Buffer,
  limits?: DecodeLimits,
): DecodedValue[] | null {
  return decodeParameters(outputs, data, limits);
}

/** What a call failed with: an error of the contract, `Error(string)` or `Panic(uint256)`. */
export function decodeRevert(abi: Abi | null, data: Buffer, limits?: DecodeLimits): DecodedCall | null {
  return decodeSelected([...(abi?.errors ?? []), ...builtInErrors], data, limits);
}

/** `topics`: as stored, perhaps without leading zeros. */
export function decodeLog(
  abi: Abi,
  topics: readonly Buffer[],
  data: Buffer,
  limits?: DecodeLimits,
): DecodedCall | null {
  const words = topics.map(toWord);
  if (words.some((word) => word === null)) return null;
  const [first, ...others] = words as Buffer[];
  const topic = first?.toString('hex');
  for (const event of abi.events) {
    if (event.isAnonymous || event.topic !== topic) continue;
    const values = decodeEvent(event, others, data, limits);
    if (values) return { name: event.name, signature: event.signature, arguments: values };
  }
  return decodeAnonymous(abi, words as Buffer[], data, limits);
}

/** Only if it can be a single one, as such a log does not say which it is. */
function decodeAnonymous(abi: Abi, topics: readonly Buffer[], data: Buffer, limits?: DecodeLimits): DecodedCall | null {
  const found = abi.events.flatMap((event) => {
    const values = event.isAnonymous ? decodeEvent(event, topics, data, limits) : null;
    return values ? [{ name: event.name, signature: event.signature, arguments: values }] : [];
  });
  return found.length === 1 ? found[0]! : null;
}

function decodeEvent(
  { inputs }: AbiEvent,
  indexed: readonly Buffer[],
  data: Buffer,
  limits?: DecodeLimits,
): DecodedValue[] | null {
  if (inputs.filter(({ isIndexed }) => isIndexed).length !== indexed.length) return null;
  const inData = decodeParameters(
    inputs.filter(({ isIndexed }) => !isIndexed),
    data,
    limits,
  );
  if (inData === null) return null;
  const topics = indexed.values();
  const rest = inData.values();
  return inputs.map((input) => (input.isIndexed ? toIndexed(input, topics.next().value!) : rest.next().value!));
}

function toIndexed(parameter: AbiParameter, topic: Buffer): DecodedValue {
  const { name, type } = parameter;
  const isWord = type.kind !== 'list' && type.kind !== 'tuple' && !type.isDynamic;
  const value = isWord ? decodeWord({ name, type }, topic) : null;
  return value ?? { name, type: type.text, value: `0x${topic.toString('hex')}`, isHashed: true };
}

/** Several entries can have one selector, if such names were searched for: the first that fits counts. */
function decodeSelected(entries: readonly AbiError[], data: Buffer, limits?: DecodeLimits): DecodedCall | null {
  if (data.length < selectorBytes) return null;
  const selector = data.toString('hex', 0, selectorBytes);
  for (const entry of entries) {
    if (entry.selector !== selector) continue;
    const values = decodeParameters(entry.inputs, data.subarray(selectorBytes), limits);
    if (values) return { name: entry.name, signature: entry.signature, arguments: values };
  }
  return null;
}

function toWord(topic: Buffer): Buffer | null {
  if (topic.length === 32) return topic;
  return topic.length > 32 ? null : Buffer.concat([Buffer.alloc(32 - topic.length), topic]);
}

/** https://docs.soliditylang.org/en/v0.8.28/control-structures.html#panic-via-assert-and-error-via-require */
const builtInErrors = readAbi([
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
]).errors;
