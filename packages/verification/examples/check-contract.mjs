// Compiles a contract, takes the code as if it were deployed, and checks the sources against it: once as they are, once
// changed.

import { checkContract } from '@ledger-mirror/verification';
import solc from 'solc';

const source =
  'pragma solidity ^0.8.0; contract Counter { uint256 public count; function add() external { count += 1; } }';
const settings = { optimizer: { enabled: true, runs: 200 } };
const outputSelection = { '*': { '*': ['evm.deployedBytecode.object'] } };
const inputOf = (content) => ({ language: 'Solidity', sources: { 'Counter.sol': { content } }, settings });
const compiled = JSON.parse(
  solc.compile(JSON.stringify({ ...inputOf(source), settings: { ...settings, outputSelection } })),
);
const { object } = compiled.contracts['Counter.sol'].Counter.evm.deployedBytecode;
const code = { address: `0x${'c0de'.repeat(10)}`, runtimeCode: Buffer.from(object, 'hex') };
const compilerVersion = solc.version().replace(/\.Emscripten.*/, '');
for (const content of [source, `${source} // changed`, source.replace('+= 1', '+= 2')]) {
  const claim = {
    language: 'Solidity',
    compilerVersion,
    input: inputOf(content),
    target: { path: 'Counter.sol', name: 'Counter' },
  };
  const { status, message } = await checkContract(code, claim);
  console.log(`${status}: ${message}`);
}
