// Etherscan's API in the API document: one path, whose parameters say what is asked.
import { type Describe, type OperationExamples, operation, query } from '../../web-server/operation.ts';
import { verificationTag } from '../http/verification-operations.ts';

export const describeCall: Describe = (examples) =>
  operation(verificationTag, 'callEtherscan', 'Verified contracts, as Etherscan serves them', {
    parameters: callParameters(examples),
    schema: envelope,
    description: 'A refusal has status 200, too: `status` is "0", and `result` says why.',
  });

export const describeSubmission: Describe = () =>
  operation(verificationTag, 'submitAsToEtherscan', 'Checks the sources in the request, as Etherscan takes them', {
    requestBody: {
      required: true,
      content: Object.fromEntries(
        ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'].map((type) => [
          type,
          { schema: submission },
        ]),
      ),
    },
    schema: envelope,
    description: 'The id of the check, for `checkverifystatus`; or why there is none.',
  });

const envelope = {
  type: 'object',
  required: ['status', 'message', 'result'],
  properties: { status: { enum: ['0', '1'] }, message: { type: 'string' }, result: {} },
};

const submission = {
  type: 'object',
  properties: Object.fromEntries(
    [
      'module',
      'action',
      'chainid',
      'contractaddress',
      'sourceCode',
      'codeformat',
      'contractname',
      'compilerversion',
      'constructorArguements',
      'optimizationUsed',
      'runs',
      'evmversion',
      'licenseType',
    ].map((name) => [name, { type: 'string' }]),
  ),
};

function callParameters({ chainId, contractAddress }: OperationExamples): object[] {
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
