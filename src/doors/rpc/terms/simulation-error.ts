// Errors of eth_simulateV1 by the codes of ethereum/execution-apis: why no block could have what is asked.
import type { SimulationFault } from '../../../calls/simulate/simulation.ts';
import { RpcError } from './rpc-error.ts';

type Fault = SimulationFault | 'blockNumber' | 'blockTime' | 'movedToItself' | 'movedTwice' | 'tooMuch';

const faults: Record<Fault, readonly [code: number, text: string]> = {
  nonceTooLow: [-38010, 'nonce too low'],
  nonceTooHigh: [-38011, 'nonce too high'],
  feeTooLow: [-38012, 'max fee per gas less than block base fee'],
  tooLittleGas: [-38013, 'intrinsic gas too low'],
  tooLittleMoney: [-38014, 'insufficient funds for gas * price + value'],
  blockIsFull: [-38015, 'block gas limit reached'],
  blockNumber: [-38020, 'block numbers must be in order'],
  blockTime: [-38021, 'block timestamps must be in order'],
  movedToItself: [-38022, 'a precompile is moved to its own address'],
  movedTwice: [-38023, 'two precompiles are moved to one address'],
  noSender: [-38024, 'sender is not an account'],
  longInitCode: [-38025, 'max initcode size exceeded'],
  outOfGas: [-38026, 'client limit exceeded'],
  longAnswer: [-38026, 'client limit exceeded'],
  tooMuch: [-38026, 'client limit exceeded'],
  noPrecompile: [-32000, 'nothing to move'],
  overriddenTwice: [-32000, 'no place for a precompile'],
};

/** `found`: what is wrong. */
export function simulationError(fault: Fault, found: string): RpcError {
  const [code, text] = faults[fault];
  return new RpcError(code, `${text}: ${found}`);
}
