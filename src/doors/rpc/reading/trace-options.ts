// Which tracer a client asks for, and what it is to show, in the form of geth; and the kinds of traces of `trace_…`.
import { rpcError } from '../terms/rpc-error.ts';
import { blockOverrides } from './block-overrides.ts';
import { type Kind, listOf, objectOf } from './kind.ts';
import { boolean } from './kinds.ts';
import { stateOverrides } from './state-overrides.ts';

/** Those that muxTracer may ask together, beside it and the list of opcodes. */
const partTracers = [
  ...(['4byteTracer', 'callTracer', 'flatCallTracer', 'noopTracer', 'prestateTracer'] as const),
] as const;
const tracers = [...partTracers, 'muxTracer', 'opcodeLogger'] as const;
export type PartTracer = (typeof partTracers)[number];

function oneOf<Name extends string>(names: readonly Name[], error: string): Kind<Name> {
  return { error, read: (value) => names.find((name) => name === value) };
}

const tracer = oneOf(tracers, 'Expected TracerType');

/** Other members are ignored, as the relay does: clients send what geth knows. */
const ofOpcodes = { enableMemory: boolean, disableStack: boolean, disableStorage: boolean };
const config = objectOf(
  'TracerConfig',
  {
    ...ofOpcodes,
    ...{ onlyTopCall: boolean, withLog: boolean, diffMode: boolean, disableCode: boolean },
    ...{ convertParityErrors: boolean, includePrecompiles: boolean },
  },
  { error: 'Expected TracerConfig' },
);
export type TracerConfig = NonNullable<ReturnType<typeof config.read>>;

const anyObject: Kind<Record<string, unknown>> = {
  error: config.error,
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined,
};

export type TracerOptions = {
  tracer?: (typeof tracers)[number];
  config: TracerConfig;
  /** Of muxTracer. */
  parts: [PartTracer, TracerConfig][];
};

const error = 'Expected TracerConfigWrapper which contains a valid TracerType and/or TracerConfig';
const wrapper = { tracer, tracerConfig: anyObject, ...ofOpcodes };

/** Members beside `tracer` count as those of `tracerConfig`, as geth has them. Throws RpcError for a part of it. */
function toOptions({ tracer: name, tracerConfig = {}, ...beside }: Record<string, unknown>): TracerOptions {
  const found = tracer.read(name);
  const named = found ? { tracer: found } : {};
  if (found === 'muxTracer') return { ...named, config: {}, parts: readParts(tracerConfig as Record<string, unknown>) };
  return { ...named, config: { ...config.read(tracerConfig), ...config.read(beside) }, parts: [] };
}

function readParts(given: Record<string, unknown>): TracerOptions['parts'] {
  return Object.entries(given).map(([name, value]) => {
    const part = partTracers.find((one) => one === name);
    const read = config.read(value ?? {});
    if (part && read) return [part, read];
    const text = part ? config.error : `Expected one of ${partTracers.join(', ')}`;
    throw rpcError.invalidParameter(`'${name.slice(0, maxShown)}' for muxTracer`, text);
  });
}

const maxShown = 100;

const ofTransaction = objectOf('TracerConfigWrapper', wrapper, { error });
export const tracerOptions: Kind<TracerOptions> = {
  error,
  read(value) {
    const given = ofTransaction.read(value);
    return given && toOptions(given);
  },
};

const notBetween: Kind<never> = {
  error: 'The state between two transactions of a block is not kept: calls run on the state after a block',
  read: () => undefined,
};
const ofCall = objectOf(
  'TracerConfigWrapper',
  { ...wrapper, stateOverrides, blockOverrides, txIndex: notBetween },
  { error },
);
/** Of a call, with what it sees instead of the ledger. */
export const callTracerOptions: Kind<
  TracerOptions & Pick<NonNullable<ReturnType<typeof ofCall.read>>, 'stateOverrides' | 'blockOverrides'>
> = {
  error,
  read(value) {
    const given = ofCall.read(value);
    if (!given) return undefined;
    const { stateOverrides: ofState, blockOverrides: ofBlock, ...rest } = given;
    return {
      ...toOptions(rest),
      ...(ofState ? { stateOverrides: ofState } : {}),
      ...(ofBlock ? { blockOverrides: ofBlock } : {}),
    };
  },
};

const traceTypeNames = ['trace', 'stateDiff', 'vmTrace'] as const;
export type TraceType = (typeof traceTypeNames)[number];
const traceType = oneOf(traceTypeNames, `Expected ${traceTypeNames.join(', ')}`);

/** Throws RpcError for the steps of the machine. */
export const traceTypes: Kind<TraceType[]> = {
  ...listOf(traceType, 'Expected an array of "trace" and "stateDiff"', traceTypeNames.length),
  read(value) {
    const read = listOf(traceType, '', traceTypeNames.length).read(value);
    if (read?.includes('vmTrace')) {
      throw rpcError.invalidParameter(
        `'vmTrace'`,
        'It is not made; debug_traceTransaction and debug_traceCall list opcodes',
      );
    }
    return read;
  },
};
