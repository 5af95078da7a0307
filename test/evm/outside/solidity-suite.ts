// The semantic tests of the Solidity compiler, compiled by a compiler from npm and run as its own test program runs them:
// the same accounts, block and addresses. Expectations of gas are not judged: they are those of one build of the compiler.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ForkName } from '../../../packages/machine/rules/forks.ts';
import { type Compiler, compileSolidity } from './compile-solidity.ts';
import { filesBelow } from './files-below.ts';
import { intendedOfSolidity } from './intended-differences.ts';
import { createSolidityChain } from './solidity-chain.ts';
import { readSolidityTest, type SolidityTest } from './solidity-test-file.ts';
import { count, createTally, type Tally } from './tally.ts';

/** The newest one first that the compiler takes for its usual one. */
const forks = ['cancun', 'shanghai', 'paris', 'london'] as const satisfies readonly ForkName[];
const allForks = [
  ...['homestead', 'tangerineWhistle', 'spuriousDragon', 'byzantium', 'constantinople', 'petersburg', 'istanbul'],
  ...['berlin', 'london', 'paris', 'shanghai', 'cancun', 'prague'],
];

export function runSoliditySuite(folder: string, compiler: Compiler, { only = /./ } = {}): Tally {
  const tally = createTally();
  for (const path of filesBelow(folder, '.sol')) {
    const name = relative(folder, path);
    // Sources of tests, and no tests.
    if (/(^|\/)_[^/]*\//.test(name) || !only.test(name)) continue;
    const test = orWhy(() => readWhole(path));
    if (typeof test === 'string') {
      count(tally, name, test, intendedOfSolidity);
      continue;
    }
    const ways = waysOf(test);
    if (ways.length === 0) tally.skipped += 1;
    for (const viaIr of ways) {
      const difference = orWhy(() => runSolidityTest(test, viaIr, compiler));
      count(tally, viaIr ? `${name} via IR` : name, difference, intendedOfSolidity);
    }
  }
  return tally;
}

function readWhole(path: string): SolidityTest {
  const test = readSolidityTest(readFileSync(path, 'utf8'));
  for (const [alias, file] of test.externalSources) {
    const at = join(dirname(path), file);
    if (existsSync(at)) test.sources.set(alias, readFileSync(at, 'utf8'));
  }
  return test;
}

/** What was thrown, as what differs: the other tests go on. */
function orWhy<Value>(run: () => Value): Value | string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

/** Whether by the intermediate language, or not, or both; none where no ledger has had its rules. */
function waysOf(test: SolidityTest): boolean[] {
  const { settings } = test;
  if (forkFor(test) === null || settings.get('ABIEncoderV1Only') === 'true') return [];
  const viaYul = settings.get('compileViaYul') ?? 'also';
  return viaYul === 'true' ? [true] : viaYul === 'false' ? [false] : [false, true];
}

/** null: none that the machine has. */
function forkFor({ settings }: SolidityTest): ForkName | null {
  const [, sign, name] = /^([<>=]+)(\w+)$/.exec(settings.get('EVMVersion') ?? '>=homestead') ?? [];
  if (name === undefined) return null;
  const at = allForks.indexOf(name);
  const fits = (fork: string) => {
    const place = allForks.indexOf(fork);
    if (place === at) return sign!.includes('=');
    return place < at ? sign!.includes('<') : sign!.includes('>');
  };
  return forks.find(fits) ?? null;
}

/** What differs; null: nothing. */
function runSolidityTest(test: SolidityTest, viaIr: boolean, compiler: Compiler): string | null {
  const fork = forkFor(test)!;
  const compiled = compileSolidity(test, { compiler, fork, viaIr });
  if (typeof compiled === 'string') return compiled;
  const chain = createSolidityChain(fork);
  const libraries = new Map<string, bigint>();
  let isDeployed = false;
  const deploy = (name: string | null, value = 0n, data = new Uint8Array(0)) => {
    const code = compiled.codeOf(name, libraries);
    return chain.create(code, data, value);
  };
  for (const [place, call] of test.calls.entries()) {
    if (call.kind === 'library') {
      const made = deploy(call.signature);
      if (made === null) return `library ${call.signature} is not deployed`;
      libraries.set(call.signature, made);
      continue;
    }
    if (!isDeployed) {
      isDeployed = true;
      const isConstructor = call.kind === 'constructor';
      const made = isConstructor ? deploy(null, call.value, call.data as Uint8Array<ArrayBuffer>) : deploy(null);
      if (isConstructor && (made === null) !== call.fails)
        return `the constructor ${call.fails ? 'succeeds' : 'fails'}`;
    }
    const difference = chain.judge(call);
    if (difference !== null) return `call ${place}, ${call.signature}: ${difference}`;
  }
  return null;
}
