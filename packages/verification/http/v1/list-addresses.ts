// `GET /files/contracts/…`: addresses of verified contracts of a chain, all of a small one or page by page.

import { toChecksumAddress } from '../../../abi/checksum-address.ts';
import { toHex } from '../../terms/hex.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { JsonAnswer } from '../add-route-table.ts';
import { queryOf } from '../request-parts.ts';
import { requireChain, type V1Request, type V1RoutesOptions } from './v1-context.ts';

const maxPageSize = 200;
/** A page is found by counting over all before it. */
const maxOffset = 1_000_000;

export async function listAllAddresses(
  { registry, lookup }: V1RoutesOptions,
  { params }: V1Request,
): Promise<JsonAnswer> {
  const chain = requireChain(registry, params.chain!);
  const totals = await lookup.count(chain);
  if (totals.full === 0 && totals.partial === 0) throw notFound('Contracts have not been found!');
  if (totals.full > maxPageSize || totals.partial > maxPageSize) {
    throw notFound(
      `Cannot fetch more than ${maxPageSize} contracts (${totals.full} full matches, ${totals.partial} partial matches), please use /contracts/{full|any|partial}/${chain.chainId} with pagination`,
    );
  }
  const page = { order: 'asc', limit: maxPageSize, offset: 0 } as const;
  const [full, partial] = await Promise.all([
    lookup.addresses(chain, { ...page, match: 'full' }),
    lookup.addresses(chain, { ...page, match: 'partial' }),
  ]);
  return { body: { full: full.map(formatAddress), partial: partial.map(formatAddress) } };
}

export function listAddresses(match: 'any' | 'full' | 'partial') {
  return async ({ registry, lookup }: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> => {
    const chain = requireChain(registry, request.params.chain!);
    const query = queryOf(request);
    const page = readNumber(query, 'page', { usual: 0, min: 0, max: 1_000_000_000 });
    const limit = readNumber(query, 'limit', { usual: maxPageSize, min: 1, max: maxPageSize });
    const order = query.get('order') ?? 'asc';
    if (order !== 'asc' && order !== 'desc') throw invalid('order must be asc or desc');
    const offset = page * limit;
    if (offset > maxOffset) throw invalid(`page and limit may skip at most ${maxOffset} contracts`);
    const totals = await lookup.count(chain);
    const total = { ...totals, any: totals.full + totals.partial }[match];
    const found = await lookup.addresses(chain, { order, limit, offset, match });
    const pagination = {
      currentPage: page,
      resultsPerPage: limit,
      resultsCurrentPage: found.length,
      totalResults: total,
      totalPages: Math.ceil(total / limit),
      hasNextPage: found.length > 0 && offset + found.length < total,
      hasPreviousPage: found.length > 0 && page > 0,
    };
    return { body: { pagination, results: found.map(formatAddress) } };
  };
}

function readNumber(
  query: URLSearchParams,
  name: string,
  { usual, min, max }: { usual: number; min: number; max: number },
) {
  const text = query.get(name);
  if (text === null) return usual;
  if (/^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw invalid(`${name} must be a whole number from ${min} to ${max}`);
}

function formatAddress(address: Buffer): string {
  return toChecksumAddress(toHex(address));
}

function notFound(message: string): VerificationError {
  return new VerificationError('not_found', message);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
