// Runs a contract that returns the sum of two numbers, and prints what it returned and what it cost.
import { createMemoryState, newestRules, runTransaction } from '@ledger-mirror/machine';

// PUSH1 2 PUSH1 40 ADD PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
const code = Uint8Array.from(Buffer.from('60026028015f5260205ff3', 'hex'));
const [sender, to] = [0xa11ce00000000000000000000000000000000001n, 0xc0de000000000000000000000000000000000001n];
const state = createMemoryState([
  { address: sender, num: 1001n, balance: 100_000_000n },
  { address: to, num: 1002n, code },
]);
const result = runTransaction(
  { sender, to, value: 0n, data: new Uint8Array(0), gasLimit: 100_000, gasPrice: 71n },
  {
    rules: newestRules,
    state,
    block: { number: 1n, timestamp: 1_700_000_000n, prevRandao: 7n, chainId: 295n },
    nextNum: 2000n,
  },
);
console.log(result.status, BigInt(`0x${Buffer.from(result.output).toString('hex')}`), `${result.gasUsed} gas`);
