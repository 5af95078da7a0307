// Files of verified contracts and lists of them, as Sourcify's first API gives them, in the API document.
import { anyObject, type Describe } from '../../../web-server/operation.ts';
import { addressParameter, anyList, chainParameter, parameter, text, v1Operation } from './v1-operations.ts';

const missing = 'The contract is not verified here, or not as well.';

const ofContract =
  (id: string, summary: string, schema: object): Describe =>
  (examples) =>
    v1Operation(id, summary, {
      parameters: [chainParameter(examples), addressParameter(examples)],
      schema,
      missing,
    });

export const files = ofContract('getFiles', 'Files of a verified contract', anyObject);
export const perfectFiles = ofContract('getPerfectFiles', 'Files of a perfectly verified contract', anyList);
export const fileTree = ofContract('getFileTree', 'Addresses of these files', anyObject);
export const perfectFileTree = ofContract('getPerfectFileTree', 'The same of a perfectly verified contract', anyList);

export const allContracts: Describe = (examples) =>
  v1Operation('listAllContracts', 'Addresses of all verified contracts of a chain that has few', {
    parameters: [chainParameter(examples)],
    missing: 'There are none, or more than 200.',
  });

const number = { type: 'integer', minimum: 0 };

const pageOf =
  (name: string, what: string): Describe =>
  (examples) =>
    v1Operation(`list${name}Contracts`, `Addresses of ${what} of a chain, page by page`, {
      parameters: [
        chainParameter(examples),
        parameter('query', 'page', 'From 0.', number, false),
        parameter('query', 'limit', 'Contracts on a page, at most 200.', number, false),
        parameter('query', 'order', 'By the time of verification.', { type: 'string', enum: ['asc', 'desc'] }, false),
      ],
    });

export const anyContracts = pageOf('Any', 'verified contracts');
export const fullContracts = pageOf('Full', 'perfectly verified contracts');
export const partialContracts = pageOf('Partial', 'partially verified contracts');

export const oneFile: Describe = (examples) =>
  v1Operation('getFile', 'One file of a verified contract', {
    parameters: [
      parameter('path', 'match', 'How it is verified.', { type: 'string', enum: ['full_match', 'partial_match'] }),
      chainParameter(examples),
      addressParameter(examples),
      parameter('path', 'path', 'As the tree shows it.', text(['metadata.json'])),
    ],
    missing,
  });
