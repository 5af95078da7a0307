// Where two versions may answer differently, each with its reason. Everything else must be equal byte for byte.
import type { FuzzRequest } from '../fuzz/fuzz-request.ts';
import type { FuzzAnswer } from '../fuzz/send-request.ts';

export type Difference = { request: FuzzRequest; dialect: string; before: FuzzAnswer | null; after: FuzzAnswer | null };

export type IntendedDifference = { reason: string; covers(difference: Difference): boolean };

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason: 'documents and pages are made from the endpoints, their text is not compared',
    covers: ({ request: { path }, after }) =>
      after?.status === 200 && (path === '/' || path === '/metrics' || path.startsWith('/api/v1/docs')),
  },
];
