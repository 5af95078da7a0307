// node scripts/run.mjs test/evm/run-outside-suites.ts [--state-tests <folder>]… [--go-ethereum <folder>] [--solidity <folder>]
// [--compiler <package>] [--only <pattern>]: tests that others publish, in the machine under Ethereum's rules. The folders
// are parts of clones: GeneralStateTests of ethereum/tests, state_tests of the fixtures of execution-spec-tests,
// core/vm/testdata of go-ethereum, test/libsolidity/semanticTests of Solidity; the compiler is a release of `solc` near to
// the clone's. Prints how many cases passed, differ on purpose, with the reason (outside/intended-differences.ts), and
// failed; exits with 1 where one failed. All of ethereum/tests takes some minutes.
import { parseArgs } from 'node:util';
import { runGethSuite } from './outside/geth-suite.ts';
import { runSoliditySuite } from './outside/solidity-suite.ts';
import { runStateSuite } from './outside/state-suite.ts';
import type { Tally } from './outside/tally.ts';

const { values } = parseArgs({
  options: {
    'state-tests': { type: 'string', multiple: true, default: [] },
    'go-ethereum': { type: 'string' },
    solidity: { type: 'string' },
    compiler: { type: 'string', default: 'solc' },
    only: { type: 'string', default: '' },
  },
});
const only = new RegExp(values.only);
const longestLine = 500;

for (const folder of values['state-tests']) report(folder, () => runStateSuite(folder, { only }));
const { 'go-ethereum': goEthereum, solidity } = values;
if (goEthereum !== undefined) report(goEthereum, () => runGethSuite(goEthereum, { only }));
if (solidity !== undefined) {
  const { default: solc } = (await import(values.compiler)) as { default: { compile(input: string): string } };
  report(solidity, () => runSoliditySuite(solidity, (input) => solc.compile(input), { only }));
}

function report(name: string, run: () => Tally): void {
  const started = performance.now();
  const { passed, aside, intended, failed, skipped, reasons } = run();
  for (const { name: failing, difference } of failed) {
    console.log(`${failing}: ${difference}`.replaceAll('\n', ' ').slice(0, longestLine));
  }
  for (const [reason, cases] of reasons) console.log(`${cases} differ on purpose: ${reason}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const ofPassed = aside === 0 ? '' : ` (${aside} of them refused before the machine)`;
  console.log(
    `${name}: ${passed} passed${ofPassed}, ${intended} intended, ${failed.length} failed; ${skipped} of other rules were left out; ${seconds} s`,
  );
  if (failed.length > 0 || passed === 0) process.exitCode = 1;
}
