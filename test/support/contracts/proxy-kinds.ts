// A contract of each kind of proxy, deployed in an EVM of others: its code and storage are what constructors made of them.
import { readFileSync } from 'node:fs';
import { signatureHash } from '../../../packages/abi/selector.ts';
import type { CompilerInput } from '../../../packages/verification/terms/source-claim.ts';
import { compileSolidity } from './compile-solidity.ts';
import { createEvm, type Evm } from './evm-deployment.ts';

export type DeployedContract = {
  /** Of the contract in the source; the clone is one of `Logic`. */
  name: string;
  /** 0x and 40 lower-case hex digits. */
  address: string;
  initcode: Buffer;
  code: Buffer;
  /** In Sourcify's words; null = it is no proxy. */
  proxyType: string | null;
  implementations: string[];
};

export type ProxyKinds = { evm: Evm; input: CompilerInput; contracts: ReadonlyMap<string, DeployedContract> };

const proxyCompiler = '0.8.28';
export const proxySource = 'Proxies.sol';

export async function deployProxyKinds(): Promise<ProxyKinds> {
  const content = readFileSync(new URL(`./${proxySource}`, import.meta.url), 'utf8');
  const input: CompilerInput = {
    language: 'Solidity',
    sources: { [proxySource]: { content } },
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  };
  const [output] = await compileSolidity(proxyCompiler, [input]);
  const evm = await createEvm();
  const contracts = new Map<string, DeployedContract>();

  async function deploy(
    label: string,
    initcode: Buffer,
    says: Pick<DeployedContract, 'name' | 'proxyType' | 'implementations'>,
  ) {
    const { address, code } = await evm.deploy(initcode);
    contracts.set(label, { ...says, address, initcode, code });
    return address;
  }
  const initcodeOf = (name: string, ...words: string[]): Buffer => {
    const { object } = output!.contracts[proxySource]![name]!.evm.bytecode;
    return Buffer.from(object + words.join(''), 'hex');
  };
  const plain = (name: string, ...words: string[]) =>
    deploy(name, initcodeOf(name, ...words), { name, proxyType: null, implementations: [] });
  const proxy = (name: string, proxyType: string, to: string, implementation = to) =>
    deploy(name, initcodeOf(name, word(to)), { name, proxyType, implementations: [implementation] });

  const logic = await plain('Logic');
  const loupes = [await plain('Loupe'), await plain('OtherLoupe')] as const;
  const beacon = await plain('Beacon', word(logic));
  await plain('Registry', word(logic));
  await plain('Delegating');
  const clone = Buffer.from(
    `3d602d80600a3d3981f3363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    'hex',
  );
  await deploy('Clone', clone, { name: 'Logic', proxyType: 'EIP1167Proxy', implementations: [logic] });
  await proxy('Erc1967', 'EIP1967Proxy', logic);
  await proxy('BeaconProxy', 'EIP1967Proxy', beacon, logic);
  await proxy('Erc1822', 'PROXIABLEProxy', logic);
  await proxy('ZeppelinOs', 'ZeppelinOSProxy', logic);
  await proxy('Safe', 'GnosisSafeProxy', logic);
  await proxy('SequenceWallet', 'SequenceWalletProxy', logic);
  for (const [at, name] of ['Diamond', 'OtherDiamond'].entries()) {
    const implementations = [loupes[at]!, logic];
    const words = lists(
      implementations.map(word),
      [at === 0 ? 'facetAddresses()' : 'facets()', 'n()'].map(selectorWord),
    );
    await deploy(name, initcodeOf(name, ...words), { name, proxyType: 'DiamondProxy', implementations });
  }
  return { evm, input, contracts };
}

function word(value: string | number): string {
  return BigInt(value).toString(16).padStart(64, '0');
}

function selectorWord(signature: string): string {
  return signatureHash(signature).toString('hex', 0, 4).padEnd(64, '0');
}

/** Two lists as arguments. */
function lists(first: readonly string[], second: readonly string[]): string[] {
  const length = ({ length: items }: readonly string[]) => word(items);
  return [word(64), word(64 + 32 * (1 + first.length)), length(first), ...first, length(second), ...second];
}
