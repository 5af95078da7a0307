// Operations of the API document beyond the ledger and the check of a contract: the status in its two forms, verified
// contracts in the shape of Sourcify's second API, and requests of operators. Bodies of other standards are named, not
// described again.
import { summaryBodies } from '../../../packages/status/summary-bodies.ts';
import { etherscanPaths } from './etherscan-operations.ts';
import { anyObject, content, operation, type Paths, path, query } from './operation.ts';

/** `examples`: the chain id of this ledger, and an existing contract. */
export type FurtherExamples = { chainId: string; contractAddress: string };

const summaries: Readonly<Record<string, string>> = {
  summary: 'Components, open incidents and upcoming maintenances',
  status: 'The overall status only',
  components: 'Every component with its status',
  incidents: 'The newest incidents with their updates',
  'incidents/unresolved': 'Open incidents',
  'scheduled-maintenances': 'The newest maintenances',
  'scheduled-maintenances/upcoming': 'Upcoming maintenances',
  'scheduled-maintenances/active': 'Maintenances in progress',
};

export function statusPaths(): Paths {
  const tag = 'Status';
  const api = Object.keys(summaryBodies).map((name) => [
    `/api/v2/${name}.json`,
    {
      get: operation(tag, `status-${name.replace('/', '-')}`, summaries[name] ?? name, {
        description: 'A body of the Statuspage v2 API.',
      }),
    },
  ]);
  const html = 'text/html';
  return {
    ...(Object.fromEntries(api) as Paths),
    '/status': { get: operation(tag, 'statusPage', 'The status page for people', { type: html }) },
    '/status/history': { get: operation(tag, 'statusHistory', 'Incidents and maintenances by month', { type: html }) },
    '/status/history.atom': {
      get: operation(tag, 'statusAtom', 'The same as an Atom feed', { type: 'application/atom+xml' }),
    },
    '/status/history.rss': {
      get: operation(tag, 'statusRss', 'The same as an RSS feed', { type: 'application/rss+xml' }),
    },
    '/status/maintenance.ics': {
      get: operation(tag, 'statusCalendar', 'Maintenances as a calendar', { type: 'text/calendar' }),
    },
    '/status/badge.svg': { get: operation(tag, 'statusBadge', 'The status as an image', { type: 'image/svg+xml' }) },
  };
}

const verificationTag = 'Verification';
const job = { status: '202', description: 'Accepted; the answer has a `verificationId`.' };
const body = (required: string[], members: object) => ({
  requestBody: {
    required: required.length > 0,
    ...content('application/json', { type: 'object', required, properties: members }),
  },
});

export function verifiedContractPaths({ chainId, contractAddress }: FurtherExamples): Paths {
  const tag = verificationTag;
  const contract = [
    path('chainId', 'Chain id, decimal.', chainId),
    path('address', 'EVM address of the contract.', contractAddress),
  ];
  return {
    '/v2/contract/{chainId}/{address}': {
      get: operation(tag, 'getVerifiedContract', 'The verified sources of a contract', {
        parameters: [
          ...contract,
          query('fields', 'Members to add to the short form; `all` adds every one.', {
            type: 'string',
            examples: ['abi,compilation'],
          }),
          query('omit', 'Members to leave out of the full form.', { type: 'string', examples: ['sources'] }),
        ],
        description: 'A contract in the shape of the Sourcify v2 API.',
        missing: 'The contract is not verified here.',
      } as object),
    },
    '/v2/contract/all-chains/{address}': {
      get: operation(tag, 'getVerifiedOnAllChains', 'The chains on which an address is verified', {
        parameters: [contract[1]!],
        missing: 'The address is verified on no chain.',
      } as object),
    },
    '/v2/contracts/{chainId}': {
      get: operation(tag, 'listVerifiedContracts', 'Verified contracts of a chain', {
        parameters: [
          contract[0]!,
          query('limit', 'Contracts on a page.', { type: 'integer', minimum: 1, maximum: 200, examples: [10] }),
          query('sort', 'Direction, by the time of verification.', {
            type: 'string',
            enum: ['asc', 'desc'],
            examples: ['desc'],
          }),
        ],
      } as object),
    },
    '/v2/verify/{chainId}/{address}': {
      post: operation(tag, 'verifySources', 'Checks the sources in the request', {
        parameters: contract,
        ...body(['stdJsonInput', 'compilerVersion', 'contractIdentifier'], {
          stdJsonInput: anyObject,
          compilerVersion: { type: 'string', examples: ['0.8.28'] },
          contractIdentifier: { type: 'string', examples: ['src/Vault.sol:Vault'] },
          creationTransactionHash: { type: 'string' },
        }),
        ...job,
      } as object),
    },
    '/v2/verify/etherscan/{chainId}/{address}': {
      post: operation(tag, 'verifyRecord', "Checks the explorer's record", {
        parameters: contract,
        ...body([], { apiKey: { type: 'string' } }),
        ...job,
      } as object),
    },
    ...startedPaths(contract),
    '/v2/verify/{verificationId}': {
      get: operation(tag, 'getVerification', 'State or result of a check', {
        parameters: [
          path(
            'verificationId',
            'From the answer to the request for the check.',
            '00000000-0000-0000-0000-000000000000',
          ),
        ],
        missing: 'There is no such check, or it is forgotten.',
      } as object),
    },
    '/signature-database/v1/lookup': {
      get: operation(tag, 'lookUpSignatures', 'Names of functions, errors and events by their hashes', {
        parameters: [
          query('function', 'Hashes of 4 bytes, with commas between them.', {
            type: 'string',
            examples: ['0xa9059cbb'],
          }),
          query('event', 'Hashes of 32 bytes, with commas between them.', {
            type: 'string',
            examples: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
          }),
        ],
        description: 'Of verified contracts, in the shape of openchain.xyz and Sourcify.',
      } as object),
    },
    ...etherscanPaths({ chainId, contractAddress }),
    '/chains': {
      get: operation(tag, 'listChains', 'Chains that contracts can be checked on', {
        schema: { type: 'array', items: anyObject },
      }),
    },
  };
}

/** Checks that go on in the background, of something else than standard JSON. */
function startedPaths(contract: object[]): Paths {
  const tag = verificationTag;
  return {
    '/v2/verify/metadata/{chainId}/{address}': {
      post: operation(tag, 'verifyMetadata', "Checks the compiler's metadata with its sources", {
        parameters: contract,
        ...body(['metadata', 'sources'], {
          metadata: anyObject,
          sources: { type: 'object', additionalProperties: { type: 'string' } },
          creationTransactionHash: { type: 'string' },
        }),
        ...job,
      } as object),
    },
    '/v2/verify/similarity/{chainId}/{address}': {
      post: operation(tag, 'verifySimilar', 'Checks the sources of verified contracts with similar code', {
        parameters: contract,
        ...body([], { creationTransactionHash: { type: 'string' } }),
        ...job,
        missing: 'There is no code at the address.',
      } as object),
    },
  };
}

const metricsPath: Paths = {
  '/metrics': {
    get: operation('Health', 'getMetrics', 'Counts and durations for Prometheus', {
      type: 'text/plain',
      schema: { type: 'string' },
    }),
  },
};

export function rpcPaths(): Paths {
  const call = {
    type: 'object',
    required: ['jsonrpc', 'id', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      method: { type: 'string', examples: ['eth_blockNumber'] },
      params: { type: 'array' },
    },
  };
  return {
    '/rpc': {
      post: operation('JSON-RPC', 'callRpc', 'The ledger as Ethereum clients read it', {
        requestBody: {
          required: true,
          ...content('application/json', { oneOf: [call, { type: 'array', maxItems: 100, items: call }] }),
        },
        description: 'The result, or the error of a call that was reverted; of a batch all answers in order.',
        schema: { oneOf: [anyObject, { type: 'array', items: anyObject }] },
      } as object),
    },
  };
}

export function operatorPaths(hasMetrics: boolean): Paths {
  return {
    ...(hasMetrics ? metricsPath : {}),
    '/api/v1/docs/openapi.json': {
      get: operation('Health', 'getDocument', 'This document as JSON'),
    },
    '/api/v1/docs/openapi.yml': {
      get: operation('Health', 'getDocumentAsYaml', 'This document as YAML', { type: 'application/yaml' }),
    },
  };
}
