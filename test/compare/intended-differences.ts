// Where two versions may answer differently, each with its reason. Everything else must be equal byte for byte.
import type { FuzzRequest } from '../fuzz/fuzz-request.ts';
import type { FuzzAnswer } from '../fuzz/send-request.ts';
import { withoutHashes } from './compare-pages.ts';

type Difference = { request: FuzzRequest; dialect: string; before: FuzzAnswer | null; after: FuzzAnswer | null };

type IntendedDifference = { reason: string; covers(difference: Difference): boolean };

/** Served since the first six. */
const newPaths = /^\/\.?\/?api\/v1\/(?:blocks|topics|network)/i;

export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason: 'scripts and styles of a page are named by what is in them',
    covers: ({ before, after }) =>
      after?.status === 200 &&
      /\/assets\//.test(after.body.toString()) &&
      withoutHashes(after.body.toString()) === withoutHashes(before?.body.toString() ?? ''),
  },
  {
    reason: 'documents and pages are made from the endpoints, their text is not compared',
    covers: ({ request: { path }, after }) =>
      after?.status === 200 && (/^\/+$/.test(path) || path === '/metrics' || path.startsWith('/api/v1/docs')),
  },
  {
    reason: 'an endpoint that was not served before',
    covers: ({ request: { path }, before }) => before?.status === 404 && newPaths.test(path),
  },
  {
    reason: 'two Host headers are no good request',
    covers: ({ request: { headers }, after }) =>
      after?.status === 400 && headers.filter(([name]) => name === 'Host').length > 1,
  },
  {
    reason: 'tokens/{id} and contracts/{id}: a bad path is refused before the text of the query',
    covers: ({ request: { path }, before, after }) =>
      /^\/api\/v1\/(?:tokens|contracts)\//i.test(path) &&
      / exceeded/.test(before?.body.toString() ?? '') &&
      after?.status === 400 &&
      /Invalid parameter: (?:tokenid|contractid)/.test(after.body.toString()),
  },
  {
    reason: 'spec: an NFT token shows an empty list of fractional fees',
    covers: ({ dialect, before, after }) =>
      dialect === 'spec' &&
      after?.body.toString().replace('"fractional_fees":[],"royalty_fees"', '"royalty_fees"') ===
        before?.body.toString(),
  },
  {
    reason: 'a block hash in upper case finds its block in the spec dialect',
    covers: ({ dialect, request: { query } }) =>
      dialect === 'spec' && query.some((pair) => /^block(?:\.|%2e)hash.*[A-F]/i.test(pair)),
  },
  {
    reason: '`hbar` as a list is refused',
    covers: ({ request: { query }, after }) =>
      after?.status === 400 &&
      query.some((pair) => /^hbar(?:\[|%5B)/i.test(pair)) &&
      /hbar/.test(after.body.toString()),
  },
  {
    reason: '`transaction.index` beyond int32 is no invalid value',
    covers: ({ before }) => /Invalid parameter: transaction\.index/.test(before?.body.toString() ?? ''),
  },
  {
    reason: 'authorization_list shows what is stored',
    covers: ({ before, after }) => /authorization_list/.test(before?.body.toString() ?? '') && after?.status === 200,
  },
  {
    reason: 'gas_price without an Ethereum transaction is that of the time of the result',
    covers: ({ before, after }) =>
      before?.status === 200 && after?.status === 200 && withoutGasPrice(before) === withoutGasPrice(after),
  },
  {
    reason: 'a fixed word of a path with an escaped letter is not found',
    covers: ({ request: { path }, after }) => after?.status === 404 && /%72esults/i.test(path),
  },
  {
    reason: 'Basic credentials that do not decode are ignored',
    covers: ({ request: { headers }, before }) =>
      before?.status === 401 && headers.some(([name]) => name === 'Authorization'),
  },
];

function withoutGasPrice({ body }: FuzzAnswer): string {
  return body.toString().replaceAll(/"gas_price":(?:null|"0x[0-9a-f]*")/g, '"gas_price"');
}
