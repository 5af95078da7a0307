// How each kind of explorer is asked and read: one row per kind.
import type { Explorer, ExplorerKind } from '../registry/chain-registry.ts';
import { type AnswerContext, readEtherscanAnswer } from './etherscan-answer.ts';
import type { ExplorerAnswer, Lookup } from './explorer-record.ts';
import { readSourcifyAnswer } from './sourcify-record.ts';

export type ExplorerDialect = {
  /** Appended to the explorer's location. */
  path(lookup: Lookup): string;
  query(lookup: Lookup): Record<string, string>;
  /** Asks for the transaction that created the contract, if records do not name it. */
  creationQuery: ((lookup: Lookup) => Record<string, string>) | null;
  /** HTTP status that means "no verified source here". */
  notVerifiedStatus: number | null;
  /** Throws a VerificationError for everything that is neither a record nor "not verified". */
  read(content: unknown, context: AnswerContext): ExplorerAnswer;
};

/** Etherscan's API, which other services offer as well. */
function etherscanApi(
  path: ExplorerDialect['path'] = () => '',
  chain: (lookup: Lookup) => Record<string, string> = () => ({}),
): ExplorerDialect {
  const ask = (action: string, member: string) => (lookup: Lookup) => ({
    ...chain(lookup),
    module: 'contract',
    action,
    [member]: lookup.address,
    ...(lookup.key === undefined ? {} : { apikey: lookup.key }),
  });
  return {
    path,
    query: ask('getsourcecode', 'address'),
    creationQuery: ask('getcontractcreation', 'contractaddresses'),
    notVerifiedStatus: null,
    read: readEtherscanAnswer,
  };
}

export const explorerDialects: Record<Exclude<ExplorerKind, 'folder'>, ExplorerDialect> = {
  // https://api.etherscan.io/v2/api: one address for all chains.
  etherscan: etherscanApi(undefined, ({ chainId }) => ({ chainid: chainId })),
  // https://<instance>/api: one instance a chain.
  blockscout: etherscanApi(),
  // https://api.routescan.io/v2/network/<mainnet|testnet>
  routescan: etherscanApi(({ chainId }) => `/evm/${chainId}/etherscan/api`),
  // https://sourcify.dev/server, or another mirror of this kind
  sourcify: {
    path: ({ chainId, address }) => `/v2/contract/${chainId}/${address}`,
    query: () => ({ fields: 'sources,compilation,deployment' }),
    creationQuery: null,
    notVerifiedStatus: 404,
    read: (content, { name }) => readSourcifyAnswer(content, name),
  },
};

export function dialectUrl({ kind, location }: Explorer, lookup: Lookup, query: Record<string, string>): URL {
  const url = new URL(`${location}${explorerDialects[kind as keyof typeof explorerDialects].path(lookup)}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
