// Contracts of benchmarks, as names of opcodes.

/** A loop that runs `count` times; the counter is on top of the stack before and after the body. */
export const loop = (count: number, body: string): string =>
  `PUSH ${count} :again JUMPDEST ${body} PUSH 1 SWAP1 SUB DUP1 PUSH @again JUMPI STOP`;

const dispatch = ['18160ddd', '313ce567', '70a08231', '95d89b41', 'a9059cbb']
  .map((selector) => `DUP1 PUSH 0x${selector} EQ PUSH @f${selector} JUMPI`)
  .join(' ');

/** Of an ERC-20, as Solidity compiles it: the balance lies at the hash of address and 0. */
export const balanceOf = `PUSH 0x80 PUSH 0x40 MSTORE CALLVALUE DUP1 ISZERO PUSH @paid JUMPI PUSH 0 DUP1 REVERT
  :paid JUMPDEST POP PUSH 4 CALLDATASIZE LT PUSH @none JUMPI PUSH 0 CALLDATALOAD PUSH 0xe0 SHR ${dispatch}
  :none JUMPDEST PUSH 0 DUP1 REVERT
  :f18160ddd JUMPDEST STOP :f313ce567 JUMPDEST STOP :f95d89b41 JUMPDEST STOP :fa9059cbb JUMPDEST STOP
  :f70a08231 JUMPDEST PUSH @out PUSH 4 DUP1 CALLDATASIZE SUB DUP2 ADD SWAP1 PUSH @decode JUMP
  :decode JUMPDEST PUSH 0 PUSH 32 DUP3 DUP5 SUB SLT ISZERO PUSH @fits JUMPI PUSH 0 DUP1 REVERT
  :fits JUMPDEST DUP2 CALLDATALOAD PUSH 0xffffffffffffffffffffffffffffffffffffffff DUP2 AND DUP2 EQ PUSH @clean JUMPI
  PUSH 0 DUP1 REVERT :clean JUMPDEST SWAP3 POP POP POP
  PUSH 0xffffffffffffffffffffffffffffffffffffffff AND PUSH 0 SWAP1 DUP2 MSTORE PUSH 32 DUP2 SWAP1 MSTORE
  PUSH 64 SWAP1 KECCAK256 SLOAD SWAP1 JUMP
  :out JUMPDEST PUSH 0x40 MLOAD SWAP1 DUP2 MSTORE PUSH 32 ADD PUSH 0x40 MLOAD DUP1 SWAP2 SUB SWAP1 RETURN`;

/** A million gas of 64 opcodes a turn. */
export const arithmetic = `PUSH 7 ${loop(16_000, 'DUP1 SWAP2 PUSH 31 MUL ADD DUP2 XOR PUSH 0xffffffff AND SWAP1')}`;

/** Code that takes as much as it gets. Each runs until its gas, or a limit, is used up. */
export const hostile = {
  'endless loop': ':again JUMPDEST PUSH @again JUMP',
  'memory growth': ':again JUMPDEST PUSH 0 MSIZE PUSH 4096 ADD MSTORE PUSH @again JUMP',
  '10,000 cold slots': loop(10_000, 'DUP1 PUSH 0x1000000000000000000000000000 MUL SLOAD POP'),
  'depth 1,024': 'PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0 ADDRESS GAS CALL STOP',
  'bomb of logs': loop(1_000_000, 'PUSH 30000 PUSH 0 LOG0'),
  '10 MB of answer': 'PUSH 10000000 PUSH 0 RETURN',
} as const;
