// Verified contracts and checks in the shape of Sourcify's second API, as the API document describes them. Bodies of
// other standards are named, not described again.
import {
  anyObject,
  content,
  type Describe,
  type OperationExamples,
  operation,
  path,
  query,
} from '../../web-server/operation.ts';

export const verificationTag = 'Verification';

const started = { status: '202', description: 'Accepted; the answer has a `verificationId`.' };

const body = (required: string[], members: object) => ({
  requestBody: {
    required: required.length > 0,
    ...content('application/json', { type: 'object', required, properties: members }),
  },
});

const chain = ({ chainId }: OperationExamples) => path('chainId', 'Chain id, decimal.', chainId);
const address = ({ contractAddress }: OperationExamples) =>
  path('address', 'EVM address of the contract.', contractAddress);
const contract = (examples: OperationExamples) => [chain(examples), address(examples)];

export const findContract: Describe = (examples) =>
  operation(verificationTag, 'getVerifiedContract', 'The verified sources of a contract', {
    parameters: [
      ...contract(examples),
      query('fields', 'Members to add to the short form; `all` adds every one.', {
        type: 'string',
        examples: ['abi,compilation'],
      }),
      query('omit', 'Members to leave out of the full form.', { type: 'string', examples: ['sources'] }),
    ],
    description: 'A contract in the shape of the Sourcify v2 API.',
    missing: 'The contract is not verified here.',
  });

export const findOnAllChains: Describe = (examples) =>
  operation(verificationTag, 'getVerifiedOnAllChains', 'The chains on which an address is verified', {
    parameters: [address(examples)],
    missing: 'The address is verified on no chain.',
  });

export const listContracts: Describe = (examples) =>
  operation(verificationTag, 'listVerifiedContracts', 'Verified contracts of a chain', {
    parameters: [
      chain(examples),
      query('limit', 'Contracts on a page.', { type: 'integer', minimum: 1, maximum: 200, examples: [10] }),
      query('sort', 'Direction, by the time of verification.', {
        type: 'string',
        enum: ['asc', 'desc'],
        examples: ['desc'],
      }),
    ],
  });

export const checkSources: Describe = (examples) =>
  operation(verificationTag, 'verifySources', 'Checks the sources in the request', {
    parameters: contract(examples),
    ...body(['stdJsonInput', 'compilerVersion', 'contractIdentifier'], {
      stdJsonInput: anyObject,
      compilerVersion: { type: 'string', examples: ['0.8.28'] },
      contractIdentifier: { type: 'string', examples: ['src/Vault.sol:Vault'] },
      creationTransactionHash: { type: 'string' },
    }),
    ...started,
  });

export const checkRecord: Describe = (examples) =>
  operation(verificationTag, 'verifyRecord', "Checks the explorer's record", {
    parameters: contract(examples),
    ...body([], { apiKey: { type: 'string' } }),
    ...started,
  });

export const checkMetadata: Describe = (examples) =>
  operation(verificationTag, 'verifyMetadata', "Checks the compiler's metadata with its sources", {
    parameters: contract(examples),
    ...body(['metadata', 'sources'], {
      metadata: anyObject,
      sources: { type: 'object', additionalProperties: { type: 'string' } },
      creationTransactionHash: { type: 'string' },
    }),
    ...started,
  });

export const checkSimilar: Describe = (examples) =>
  operation(verificationTag, 'verifySimilar', 'Checks the sources of verified contracts with similar code', {
    parameters: contract(examples),
    ...body([], { creationTransactionHash: { type: 'string' } }),
    ...started,
    missing: 'There is no code at the address.',
  });

export const findCheck: Describe = () =>
  operation(verificationTag, 'getVerification', 'State or result of a check', {
    parameters: [
      path('verificationId', 'From the answer to the request for the check.', '00000000-0000-0000-0000-000000000000'),
    ],
    missing: 'There is no such check, or it is forgotten.',
  });

export const lookUpSignatures: Describe = () =>
  operation(verificationTag, 'lookUpSignatures', 'Names of functions, errors and events by their hashes', {
    parameters: [
      query('function', 'Hashes of 4 bytes, with commas between them.', { type: 'string', examples: ['0xa9059cbb'] }),
      query('event', 'Hashes of 32 bytes, with commas between them.', {
        type: 'string',
        examples: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
      }),
    ],
    description: 'Of verified contracts, in the shape of openchain.xyz and Sourcify.',
  });

export const listChains: Describe = () =>
  operation(verificationTag, 'listChains', 'Chains that contracts can be checked on', {
    schema: { type: 'array', items: anyObject },
  });
