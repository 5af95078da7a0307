// Where the calls of a contract go if it is a proxy: the one source of that fact, on every chain. Its code says which
// kinds are possible, storage and answers of the contract say what is behind it now.
//
// EIP-1167, ERC-1967 (with beacons), ERC-1822, ERC-2535; OpenZeppelin's first proxies, Safe, Sequence.
import { decodeParameters } from '../../abi/decode-parameters.ts';
import type { DecodedValue } from '../../abi/decoded-value.ts';
import { readAbi } from '../../abi/read-abi.ts';
import { keccak256 } from '../../protocol/keccak256.ts';
import { fromHex, toHex } from '../terms/hex.ts';
import type { OnchainContract, OnchainSource } from '../terms/onchain-contract.ts';
import { loupe, masterCopy, readProxySigns } from './proxy-signs.ts';

export type ProxyKind =
  | 'eip1167'
  | 'eip1967'
  | 'eip1967-beacon'
  | 'eip1822'
  | 'diamond'
  | 'zeppelinos'
  | 'safe'
  | 'sequence';

export type ContractProxy = {
  kind: ProxyKind;
  /** One, of a diamond its facets (at most `maxFacets`): 0x and 40 lower-case hex digits. */
  implementations: string[];
};

const maxFacets = 100;

/** null = it is no proxy, or names no implementation. Throws what the chain throws. */
export async function findProxy(
  contract: OnchainContract,
  chain: Pick<OnchainSource, 'slots' | 'call'>,
): Promise<ContractProxy | null> {
  if (contract.kind !== 'contract') return null;
  const { implementation, address, otherAddresses, runtimeCode } = contract;
  if (implementation) return { kind: 'eip1167', implementations: [implementation.address] };
  const signs = readProxySigns(runtimeCode);
  if (!signs.delegates) return null;
  const readFacets = async (): Promise<ContractProxy | null> => {
    const implementations = await askFacets(chain, address);
    return implementations.length > 0 ? { kind: 'diamond', implementations } : null;
  };
  const known = signs.isDiamond ? await readFacets() : null;
  if (known) return known;
  const places: [ProxyKind, Buffer][] = [
    ...namedPlaces,
    ...(signs.isSafe || signs.isSmall ? [['safe', Buffer.alloc(32)] as [ProxyKind, Buffer]] : []),
    ...(signs.isSequence
      ? [address, ...otherAddresses].map((one): [ProxyKind, Buffer] => ['sequence', toSlot(one)])
      : []),
  ];
  const values = await chain.slots(
    contract,
    places.map(([, slot]) => slot),
  );
  for (const [at, [kind]] of places.entries()) {
    const named = toAddress(values[at] ?? null);
    if (named === null) continue;
    const isSure = kind !== 'safe' || signs.isSafe || (await askAddress(chain, address, masterCopy)) === named;
    const found = kind === 'eip1967-beacon' ? await askBeacon(chain, named) : named;
    if (isSure && found) return { kind, implementations: [found] };
  }
  return signs.isSmall && !signs.isDiamond ? readFacets() : null;
}

type Asked = Pick<OnchainSource, 'call'>;

/** null = it says nothing. */
async function askBeacon(chain: Asked, beacon: string): Promise<string | null> {
  for (const selector of beaconSelectors) {
    const address = await askAddress(chain, beacon, selector);
    if (address !== null) return address;
  }
  return null;
}

async function askAddress(chain: Asked, contract: string, selector: string): Promise<string | null> {
  const answer = await chain.call(contract, Buffer.from(selector, 'hex'));
  return answer?.length === 32 ? toAddress(answer) : null;
}

/** `implementation()`; `childImplementation()`, `masterCopy()`, `comptrollerImplementation()` of older ones. */
const beaconSelectors = ['5c60da1b', 'da525716', masterCopy, 'bb82aa5e'];

async function askFacets(chain: Asked, address: string): Promise<string[]> {
  for (const [at, selector] of loupe.entries()) {
    const answer = await chain.call(address, Buffer.from(selector, 'hex'));
    const [list] = (answer && decodeParameters(answers[at]!.outputs, answer, { maxValues: 50_000 })) ?? [];
    const items = Array.isArray(list?.value) ? list.value : [];
    // A fallback that answers everything gives no list, or one of zeros.
    const facets = items.map(facetOf).filter((facet) => facet !== null);
    if (facets.length > 0) return [...new Set(facets)].slice(0, maxFacets);
  }
  return [];
}

function facetOf({ value }: DecodedValue): string | null {
  const address = Array.isArray(value) ? value[0]?.value : value;
  return typeof address === 'string' ? toAddress(fromHex(address.toLowerCase())) : null;
}

const { functions: answers } = readAbi([
  { type: 'function', name: 'facetAddresses', inputs: [], outputs: [{ name: '', type: 'address[]' }] },
  {
    ...{ type: 'function', name: 'facets', inputs: [] },
    outputs: [
      {
        name: '',
        type: 'tuple[]',
        components: [
          { name: 'a', type: 'address' },
          { name: 's', type: 'bytes4[]' },
        ],
      },
    ],
  },
]);

const hashOf = (name: string): bigint => BigInt(toHex(keccak256(Buffer.from(name))));
/** ERC-1967 takes 1 off, so that the slot's preimage is not known. */
const namedPlaces: [ProxyKind, Buffer][] = [
  ['eip1967', toSlot(hashOf('eip1967.proxy.implementation') - 1n)],
  ['eip1967-beacon', toSlot(hashOf('eip1967.proxy.beacon') - 1n)],
  ['zeppelinos', toSlot(hashOf('org.zeppelinos.proxy.implementation'))],
  ['eip1822', toSlot(hashOf('PROXIABLE'))],
];

function toSlot(value: bigint | string): Buffer {
  return Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex');
}

/** Values are stored with or without leading zeros. null = zero, or no address. */
function toAddress(value: Buffer | null): string | null {
  const digits = value?.toString('hex').replace(/^0+/, '') ?? '';
  return digits === '' || digits.length > 40 ? null : `0x${digits.padStart(40, '0')}`;
}
