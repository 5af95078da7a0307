// Sessions of Sourcify's first API in the API document.
import type { Describe } from '../../../web-server/operation.ts';
import { anyList, json, parameter, text, uploadBody, v1Operation } from './v1-operations.ts';

const session = 'The session: its contracts, and files that belong to none.';
const dryRun = parameter('query', 'dryrun', '`true`: matches are not stored.', text(), false);

export const addFilesOperation: Describe = () =>
  v1Operation('addSessionFiles', 'Adds files to the session of the cookie', {
    description: session,
    parameters: [dryRun],
    requestBody: uploadBody(['files'], {}),
  });

export const addContractOperation: Describe = () =>
  v1Operation('addSessionContract', 'Adds the files of a contract that a verified one shares', {
    description: session,
    requestBody: { required: true, ...json({ type: 'object', properties: { address: text(), chainId: text() } }) },
    missing: 'No verified contract has them.',
  });

export const checkContractsOperation: Describe = () =>
  v1Operation('checkSessionContracts', 'Checks contracts of the session', {
    description: session,
    parameters: [dryRun],
    requestBody: { required: true, ...json({ type: 'object', properties: { contracts: anyList } }) },
  });

export const findOperation: Describe = () =>
  v1Operation('getSession', 'The session of the cookie', { description: session });

export const clearOperation: Describe = () =>
  v1Operation('clearSession', 'Forgets the session', { description: 'A sentence.', schema: text() });
