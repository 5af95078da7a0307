// The checks of Sourcify's first API, and which contracts are verified, in the API document.
import type { Describe, OperationExamples } from '../../../web-server/operation.ts';
import { anyList, json, parameter, text, uploadBody, v1Operation } from './v1-operations.ts';

const checked = 'The match, in a list of one. A check without a match is 500 with the reason.';

const contract = ({ chainId, contractAddress }: OperationExamples) => ({
  address: text([contractAddress]),
  chain: text([chainId]),
  creatorTxHash: text(),
});

export const checkFiles: Describe = (examples) =>
  v1Operation('verifyFiles', 'Checks metadata.json with its sources', {
    description: checked,
    requestBody: uploadBody(['address', 'chain', 'files'], { ...contract(examples), chosenContract: text() }),
  });

export const checkSolcJson: Describe = (examples) =>
  v1Operation('verifySolcJson', "Checks a file of the compiler's standard JSON", {
    description: checked,
    requestBody: uploadBody(['address', 'chain', 'compilerVersion', 'contractName', 'files'], {
      ...contract(examples),
      compilerVersion: text(),
      contractName: text(),
    }),
  });

export const checkRecord: Describe = () =>
  v1Operation('verifyEtherscan', "Checks the block explorer's record", {
    description: checked,
    requestBody: {
      required: true,
      ...json({ type: 'object', properties: { address: text(), chainId: text(), apiKey: text() } }),
    },
    missing: 'No explorer has a record of the contract.',
  });

const lookedUp = ({ chainId, contractAddress }: OperationExamples): object[] => [
  parameter('query', 'addresses', 'With commas between.', text([contractAddress])),
  parameter('query', 'chainIds', 'With commas between.', text([chainId])),
];

export const lookUpPerfect: Describe = (examples) =>
  v1Operation('checkByAddresses', 'Which addresses are verified perfectly', {
    parameters: lookedUp(examples),
    schema: anyList,
  });

export const lookUpAny: Describe = (examples) =>
  v1Operation('checkAllByAddresses', 'Which addresses are verified', {
    parameters: [
      ...lookedUp(examples),
      parameter('query', 'resolveProxies', '`true`: with the targets of proxies.', text(), false),
    ],
    schema: anyList,
  });
