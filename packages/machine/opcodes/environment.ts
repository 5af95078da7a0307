// The call, the transaction, the block.
import type { Frame } from '../frame/frame.ts';
import type { Machine } from '../frame/machine.ts';
import { gasOf, type Handler, opcode } from './opcode.ts';

function fact(read: (frame: Frame, machine: Machine) => bigint): Handler {
  return (frame, machine) => {
    frame.stack[frame.size++] = read(frame, machine);
  };
}

function blockhash({ stack, size }: Frame, { block, rules, world }: Machine): void {
  const number = stack[size - 1]!;
  const isKnown = number < block.number && number + rules.addresses.blockHashWindow >= block.number;
  stack[size - 1] = isKnown ? world.reads.blockHash(number) : 0n;
}

/** No transaction of the ledger carries blobs. */
function blobhash({ stack, size }: Frame): void {
  stack[size - 1] = 0n;
}

export const environment = [
  opcode(
    0x30,
    'ADDRESS',
    0,
    1,
    gasOf.base,
    fact(({ account }) => account.address),
  ),
  opcode(
    0x32,
    'ORIGIN',
    0,
    1,
    gasOf.base,
    fact((_, { origin }) => origin),
  ),
  opcode(
    0x33,
    'CALLER',
    0,
    1,
    gasOf.base,
    fact(({ caller }) => caller),
  ),
  opcode(
    0x34,
    'CALLVALUE',
    0,
    1,
    gasOf.base,
    fact(({ value }) => value),
  ),
  opcode(
    0x3a,
    'GASPRICE',
    0,
    1,
    gasOf.base,
    fact((_, { gasPrice }) => gasPrice),
  ),
  opcode(0x40, 'BLOCKHASH', 1, 1, 20, blockhash),
  opcode(
    0x41,
    'COINBASE',
    0,
    1,
    gasOf.base,
    fact((_, { rules, block }) => block.coinbase ?? rules.coinbase),
  ),
  opcode(
    0x42,
    'TIMESTAMP',
    0,
    1,
    gasOf.base,
    fact((_, { block }) => block.timestamp),
  ),
  opcode(
    0x43,
    'NUMBER',
    0,
    1,
    gasOf.base,
    fact((_, { block }) => block.number),
  ),
  opcode(
    0x44,
    'PREVRANDAO',
    0,
    1,
    gasOf.base,
    fact((_, { block }) => block.prevRandao),
  ),
  opcode(
    0x45,
    'GASLIMIT',
    0,
    1,
    gasOf.base,
    fact((_, { gasLimit, block }) => block.gasLimit ?? BigInt(gasLimit)),
  ),
  opcode(
    0x46,
    'CHAINID',
    0,
    1,
    gasOf.base,
    fact((_, { block }) => block.chainId),
  ),
  opcode(
    0x47,
    'SELFBALANCE',
    0,
    1,
    gasOf.low,
    fact(({ account }) => account.balance),
  ),
  opcode(
    0x48,
    'BASEFEE',
    0,
    1,
    gasOf.base,
    fact((_, { rules, block }) => block.baseFee ?? rules.baseFee),
  ),
  opcode(0x49, 'BLOBHASH', 1, 1, gasOf.veryLow, blobhash, 'cancun'),
  opcode(
    0x4a,
    'BLOBBASEFEE',
    0,
    1,
    gasOf.base,
    fact((_, { rules, block }) => block.blobBaseFee ?? rules.blobBaseFee),
    'cancun',
  ),
];
