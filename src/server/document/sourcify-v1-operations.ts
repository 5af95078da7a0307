// Sourcify's first API in the API document: requests are described, bodies are those of Sourcify.
import type { FurtherExamples } from './further-operations.ts';

type Paths = Record<string, Record<string, object>>;

const tag = 'Verification';
const text = (examples: string[] = []) => ({ type: 'string', ...(examples.length > 0 && { examples }) });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const anyObject = { type: 'object', additionalProperties: true };
const anyList = { type: 'array', items: {} };

type Said = { description?: string; parameters?: object[]; requestBody?: object; schema?: object; missing?: string };

function operation(operationId: string, summary: string, said: Said): object {
  const { description = 'The answer.', parameters, requestBody, schema = anyObject, missing } = said;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      '200': { description, ...json(schema) },
      '400': { description: 'The request is invalid.', ...json(anyObject) },
      ...(missing && { '404': { description: missing, ...json(anyObject) } }),
    },
  };
}

function parameter(
  place: 'path' | 'query',
  name: string,
  description: string,
  schema: object,
  required = true,
): object {
  return { name, in: place, required: place === 'path' || required, description, schema };
}

/** JSON, or the same as a form. */
function uploadBody(required: string[], members: Record<string, object>): object {
  const files = { type: 'object', additionalProperties: { type: 'string' }, description: 'Content by name.' };
  const parts = { type: 'array', items: { type: 'string', format: 'binary' } };
  const form = { type: 'object', required, properties: { ...members, files: parts } };
  return {
    required: true,
    content: {
      'application/json': { schema: { type: 'object', required, properties: { ...members, files } } },
      'multipart/form-data': { schema: form },
    },
  };
}

export function sourcifyV1Paths({ chainId, contractAddress }: FurtherExamples): Paths {
  const chain = parameter('path', 'chain', 'Chain id, decimal.', text([chainId]));
  const address = parameter('path', 'address', 'EVM address of the contract.', text([contractAddress]));
  const contract = { address: text([contractAddress]), chain: text([chainId]), creatorTxHash: text() };
  return {
    ...checkPaths(contract),
    ...lookupPaths({ chainId, contractAddress }),
    ...filePaths(chain, address),
    ...sessionPaths(),
  };
}

function checkPaths(contract: Record<string, object>): Paths {
  const checked = 'The match, in a list of one. A check without a match is 500 with the reason.';
  const metadata = uploadBody(['address', 'chain', 'files'], { ...contract, chosenContract: text() });
  return {
    '/verify': {
      post: operation('verifyFiles', 'Checks metadata.json with its sources', {
        description: checked,
        requestBody: metadata,
      }),
    },
    '/verify/solc-json': {
      post: operation('verifySolcJson', "Checks a file of the compiler's standard JSON", {
        description: checked,
        requestBody: uploadBody(['address', 'chain', 'compilerVersion', 'contractName', 'files'], {
          ...contract,
          compilerVersion: text(),
          contractName: text(),
        }),
      }),
    },
    '/verify/etherscan': {
      post: operation('verifyEtherscan', "Checks the block explorer's record", {
        description: checked,
        requestBody: {
          required: true,
          ...json({ type: 'object', properties: { address: text(), chainId: text(), apiKey: text() } }),
        },
        missing: 'No explorer has a record of the contract.',
      }),
    },
  };
}

function lookupPaths({ chainId, contractAddress }: FurtherExamples): Paths {
  const addresses = parameter('query', 'addresses', 'With commas between.', text([contractAddress]));
  const chainIds = parameter('query', 'chainIds', 'With commas between.', text([chainId]));
  const proxies = parameter('query', 'resolveProxies', '`true`: with the targets of proxies.', text(), false);
  return {
    '/check-by-addresses': {
      get: operation('checkByAddresses', 'Which addresses are verified perfectly', {
        parameters: [addresses, chainIds],
        schema: anyList,
      }),
    },
    '/check-all-by-addresses': {
      get: operation('checkAllByAddresses', 'Which addresses are verified', {
        parameters: [addresses, chainIds, proxies],
        schema: anyList,
      }),
    },
  };
}

function filePaths(chain: object, address: object): Paths {
  const missing = 'The contract is not verified here, or not as well.';
  const of = (id: string, summary: string, schema: object) => ({
    get: operation(id, summary, { parameters: [chain, address], schema, missing }),
  });
  const number = { type: 'integer', minimum: 0 };
  const page = [
    chain,
    parameter('query', 'page', 'From 0.', number, false),
    parameter('query', 'limit', 'Contracts on a page, at most 200.', number, false),
    parameter('query', 'order', 'By the time of verification.', { type: 'string', enum: ['asc', 'desc'] }, false),
  ];
  const pageOf = (name: string, what: string) => ({
    get: operation(`list${name}Contracts`, `Addresses of ${what} of a chain, page by page`, { parameters: page }),
  });
  return {
    '/files/any/{chain}/{address}': of('getFiles', 'Files of a verified contract', anyObject),
    '/files/{chain}/{address}': of('getPerfectFiles', 'Files of a perfectly verified contract', anyList),
    '/files/tree/any/{chain}/{address}': of('getFileTree', 'Addresses of these files', anyObject),
    '/files/tree/{chain}/{address}': of('getPerfectFileTree', 'The same of a perfectly verified contract', anyList),
    '/files/contracts/{chain}': {
      get: operation('listAllContracts', 'Addresses of all verified contracts of a chain that has few', {
        parameters: [chain],
        missing: 'There are none, or more than 200.',
      }),
    },
    '/files/contracts/any/{chain}': pageOf('Any', 'verified contracts'),
    '/files/contracts/full/{chain}': pageOf('Full', 'perfectly verified contracts'),
    '/files/contracts/partial/{chain}': pageOf('Partial', 'partially verified contracts'),
    '/repository/contracts/{match}/{chain}/{address}/{path}': {
      get: operation('getFile', 'One file of a verified contract', {
        parameters: [
          parameter('path', 'match', 'How it is verified.', { type: 'string', enum: ['full_match', 'partial_match'] }),
          chain,
          address,
          parameter('path', 'path', 'As the tree shows it.', text(['metadata.json'])),
        ],
        missing,
      }),
    },
  };
}

function sessionPaths(): Paths {
  const session = 'The session: its contracts, and files that belong to none.';
  const dryRun = parameter('query', 'dryrun', '`true`: matches are not stored.', text(), false);
  return {
    '/session/input-files': {
      post: operation('addSessionFiles', 'Adds files to the session of the cookie', {
        description: session,
        parameters: [dryRun],
        requestBody: uploadBody(['files'], {}),
      }),
    },
    '/session/input-contract': {
      post: operation('addSessionContract', 'Adds the files of a contract that a verified one shares', {
        description: session,
        requestBody: {
          required: true,
          ...json({ type: 'object', properties: { address: text(), chainId: text() } }),
        },
        missing: 'No verified contract has them.',
      }),
    },
    '/session/verify-checked': {
      post: operation('checkSessionContracts', 'Checks contracts of the session', {
        description: session,
        parameters: [dryRun],
        requestBody: { required: true, ...json({ type: 'object', properties: { contracts: anyList } }) },
      }),
    },
    '/session/data': { get: operation('getSession', 'The session of the cookie', { description: session }) },
    '/session/clear': {
      post: operation('clearSession', 'Forgets the session', { description: 'A sentence.', schema: text() }),
    },
  };
}
