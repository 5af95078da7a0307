// What is written of a transaction that is run again: the mirror node's list of opcodes, or what debug_trace… of
// JSON-RPC answer.
import type { Finished } from '../../../packages/machine/run/transaction.ts';
import { type CallsOptions, traceCalls } from './trace-calls.ts';
import { type TraceOptions as OpcodeOptions, type OpcodeTrace, traceOpcodes } from './trace-opcodes.ts';
import { type PrestateOptions, tracePrestate } from './trace-prestate.ts';
import { type StructLogOptions, traceStructLogs } from './trace-struct-logs.ts';

export type { OpcodeOptions };
export type RpcTraceOptions = StructLogOptions | PrestateOptions | CallsOptions;
export type TraceOptions = OpcodeOptions | RpcTraceOptions;
export type OpenTrace = OpcodeTrace;

/** `run`: the same without a trace. */
export function openTrace(options: TraceOptions, run: Finished, isTimeUp: () => boolean): OpenTrace {
  if (!('form' in options)) return traceOpcodes(options, run, isTimeUp);
  switch (options.form) {
    case 'calls':
      return traceCalls(options, run);
    case 'prestate':
      return tracePrestate(options);
    case 'structLogs':
      return traceStructLogs(options, run, isTimeUp);
  }
}
