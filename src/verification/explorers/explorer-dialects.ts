// How each kind of explorer is asked and understood: one row a kind.
import type { Explorer, ExplorerKind } from '../registry/chain-registry.ts';
import { type AnswerContext, readEtherscanAnswer } from './etherscan-answer.ts';
import type { ExplorerAnswer, Lookup } from './explorer-record.ts';
import { readSourcifyAnswer, sourcifyFields } from './sourcify-record.ts';

export type ExplorerDialect = {
  /** Appended to the explorer's location. */
  path(lookup: Lookup): string;
  query(lookup: Lookup): Record<string, string>;
  /** The question for the transaction that created the contract, where records do not say it. */
  creationQuery: ((lookup: Lookup) => Record<string, string>) | null;
  /** HTTP status that says "no verified source here". */
  notVerifiedStatus: number | null;
  /** Throws a VerificationError for everything that is neither a record nor "not verified". */
  read(content: unknown, context: AnswerContext): ExplorerAnswer;
};

const etherscanQuery = ({ address, key }: Lookup): Record<string, string> => ({
  module: 'contract',
  action: 'getsourcecode',
  address,
  ...(key === undefined ? {} : { apikey: key }),
});

const creationQuery = ({ address, key }: Lookup): Record<string, string> => ({
  module: 'contract',
  action: 'getcontractcreation',
  contractaddresses: address,
  ...(key === undefined ? {} : { apikey: key }),
});

export const explorerDialects: Record<Exclude<ExplorerKind, 'folder'>, ExplorerDialect> = {
  // https://api.etherscan.io/v2/api: one address for all chains.
  etherscan: {
    path: () => '',
    query: (lookup) => ({ chainid: lookup.chainId, ...etherscanQuery(lookup) }),
    creationQuery: (lookup) => ({ chainid: lookup.chainId, ...creationQuery(lookup) }),
    notVerifiedStatus: null,
    read: readEtherscanAnswer,
  },
  // https://<instance>/api: one instance a chain.
  blockscout: {
    path: () => '',
    query: etherscanQuery,
    creationQuery,
    notVerifiedStatus: null,
    read: readEtherscanAnswer,
  },
  // https://api.routescan.io/v2/network/<mainnet|testnet>
  routescan: {
    path: ({ chainId }) => `/evm/${chainId}/etherscan/api`,
    query: etherscanQuery,
    creationQuery,
    notVerifiedStatus: null,
    read: readEtherscanAnswer,
  },
  // https://sourcify.dev/server, or another mirror of this kind
  sourcify: {
    path: ({ chainId, address }) => `/v2/contract/${chainId}/${address}`,
    query: () => ({ fields: sourcifyFields }),
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
