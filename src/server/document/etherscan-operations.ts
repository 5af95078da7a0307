// Etherscan's API in the API document: one path, whose parameters say what is asked.
import { operation, type Paths, query } from './operation.ts';

type Examples = { chainId: string; contractAddress: string };

export function etherscanPaths({ chainId, contractAddress }: Examples): Paths {
  const tag = 'Verification';
  return {
    '/api': {
      get: operation(tag, 'callEtherscan', 'Verified contracts, as Etherscan serves them', {
        parameters: etherscanParameters({ chainId, contractAddress }),
        schema: etherscanEnvelope,
        description: 'A refusal has status 200, too: `status` is "0", and `result` says why.',
      } as object),
      post: operation(tag, 'submitAsToEtherscan', 'Checks the sources in the request, as Etherscan takes them', {
        requestBody: {
          required: true,
          content: Object.fromEntries(
            ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'].map((type) => [
              type,
              { schema: etherscanSubmission },
            ]),
          ),
        },
        schema: etherscanEnvelope,
        description: 'The id of the check, for `checkverifystatus`; or why there is none.',
      } as object),
    },
  };
}

const etherscanEnvelope = {
  type: 'object',
  required: ['status', 'message', 'result'],
  properties: { status: { enum: ['0', '1'] }, message: { type: 'string' }, result: {} },
};

const etherscanSubmission = {
  type: 'object',
  properties: Object.fromEntries(
    [
      ...['module', 'action', 'chainid', 'contractaddress', 'sourceCode', 'codeformat', 'contractname'],
      ...['compilerversion', 'constructorArguements', 'optimizationUsed', 'runs', 'evmversion', 'licenseType'],
    ].map((name) => [name, { type: 'string' }]),
  ),
};

function etherscanParameters({ chainId, contractAddress }: Examples): object[] {
  const actions = ['getsourcecode', 'getabi', 'getcontractcreation', 'checkverifystatus'];
  const text = (example: string) => ({ type: 'string', examples: [example] });
  return [
    { ...query('module', 'The only module here.', { type: 'string', enum: ['contract'] }), required: true },
    { ...query('action', 'What is asked.', { type: 'string', enum: actions }), required: true },
    query('address', 'For `getsourcecode` and `getabi`.', text(contractAddress)),
    query('contractaddresses', 'For `getcontractcreation`: up to five, with commas.', text(contractAddress)),
    query('guid', 'For `checkverifystatus`.', { type: 'string' }),
    query('chainid', 'Another chain than the mirrored one.', text(chainId)),
  ];
}
