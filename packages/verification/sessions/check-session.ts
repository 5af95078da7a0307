// Checks the contracts of a session, one after another. Build output has many contracts and one address has one: whose
// metadata the code on chain names is compiled, and only where it names none of them, the others.
import { readAuxdata } from '../explain/auxdata.ts';
import { isComplete, list, toClaim, withAllSources } from '../metadata/assemble-sources.ts';
import { hashMetadata } from '../metadata/metadata-hash.ts';
import { type Chain, type ChainRegistry, resolveContract } from '../registry/chain-registry.ts';
import { toHex } from '../terms/hex.ts';
import type { OnchainSource } from '../terms/onchain-contract.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { VerifySources } from '../verify-sources.ts';
import type { Session, SessionContract } from './session.ts';

export type CheckSession = (session: Session, options: { client: string; keep: boolean }) => Promise<void>;

type Options = {
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  verifySources: VerifySources;
};

/** Contracts that are compiled for one request. */
const maxCompiled = 20;

/** Writes what was found into the session's contracts. Throws only if no contract could be checked at all. */
export function createCheckSession({ registry, onchainSource, verifySources }: Options): CheckSession {
  /** `0x` and lower-case digits of the hash in the code there; null = it names none. */
  async function readNamedHash(chainId: string, asked: string): Promise<string | null> {
    const { chain, address } = resolveContract(registry, chainId, asked);
    const { runtimeCode } = await onchainSource(chain).read(address);
    const hash = runtimeCode && readAuxdata(toHex(runtimeCode))?.hash;
    return hash?.kind === 'ipfs' ? hash.hex : null;
  }

  async function checkOne(
    contract: SessionContract,
    session: Session,
    { client, keep }: { client: string; keep: boolean },
  ) {
    const { metadata, sources, address, chainId, creationTransactionHash } = contract;
    const { name } = metadata.target;
    if (!chainId) return failed(contract, `Missing chainId for contract ${name}`);
    if (!address) return failed(contract, `Missing address for contract ${name}`);
    const stored = await verifySources.findPerfect(chainId, address);
    if (stored) {
      Object.assign(contract, { status: 'perfect', statusMessage: undefined, storedAt: stored.verifiedAt });
      return;
    }
    if (!isComplete(sources)) {
      const names = [...Object.keys(sources.missing), ...Object.keys(sources.invalid)];
      return failed(contract, `Invalid or missing sources in ${name}: ${list(names)}`);
    }
    const claim = toClaim(metadata, sources);
    const fallback = withAllSources(claim, [...session.files.values()]);
    const request = { chainId, address, claim, fallback, creationTransactionHash, client, keep };
    const { check, standing } = await verifySources.verify(request);
    if (check.status !== 'perfect' && check.status !== 'partial') return failed(contract, check.message);
    Object.assign(contract, { status: check.status, statusMessage: undefined, storedAt: standing?.verifiedAt });
  }

  return async (session, options) => {
    const hashes = new Map<string, string | null>();
    const matched = new Set<string>();
    let compiled = 0;
    for (const contract of await inOrder([...session.contracts.values()], hashes)) {
      const place = placeOf(contract);
      if (place !== null && matched.has(place)) {
        failed(contract, 'The code at this address is that of another contract of these files.');
        continue;
      }
      if (place !== null && compiled === maxCompiled) {
        failed(contract, `A request checks at most ${maxCompiled} contracts: send fewer of them.`);
        continue;
      }
      if (place !== null) compiled += 1;
      try {
        await checkOne(contract, session, options);
      } catch (error) {
        if (!(error instanceof VerificationError) || error.code === 'store_not_available') throw error;
        failed(contract, error.message);
      }
      if (place !== null && contract.status !== 'error') matched.add(place);
    }
  };

  /** Those that the code at their address names come first. */
  async function inOrder(contracts: SessionContract[], hashes: Map<string, string | null>): Promise<SessionContract[]> {
    for (const contract of contracts) {
      const place = placeOf(contract);
      if (place === null || hashes.has(place)) continue;
      const hash = await readNamedHash(contract.chainId!, contract.address!).catch((error: unknown) => {
        if (error instanceof VerificationError) return null;
        throw error;
      });
      hashes.set(place, hash);
    }
    const isNamed = (contract: SessionContract): boolean => {
      const place = placeOf(contract);
      const hash = place === null ? null : (hashes.get(place) ?? null);
      return hash !== null && hash === hashMetadata(contract.metadata.text);
    };
    const named = contracts.filter(isNamed);
    return [...named, ...contracts.filter((contract) => !named.includes(contract))];
  }
}

function placeOf({ chainId, address }: SessionContract): string | null {
  return chainId && address ? `${chainId} ${address.toLowerCase()}` : null;
}

function failed(contract: SessionContract, statusMessage: string): void {
  Object.assign(contract, { status: 'error', statusMessage, storedAt: undefined });
}
