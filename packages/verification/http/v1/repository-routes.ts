// `GET /files/…`: the files of a verified contract, or their addresses. `GET /repository/…`: one file. Sources are
// foreign
// text: they are sent as plain text, and no browser runs anything of them.

import { toChecksumAddress } from '../../../abi/checksum-address.ts';
import type { Answer } from '../../../web-server/route.ts';
import { resolveContract } from '../../registry/chain-registry.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { JsonAnswer } from '../add-route-table.ts';
import { matchOf } from './check-addresses.ts';
import { type RepositoryFile, toRepositoryFiles } from './repository-files.ts';
import { requireChain, type V1Request, type V1RoutesOptions } from './v1-context.ts';

type Repository = { status: 'full' | 'partial'; folder: string; files: RepositoryFile[] };

export function listContents(wanted: 'any' | 'full') {
  return async (options: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> => {
    const { status, folder, files } = await readRepository(options, request, wanted);
    const contents = files.map(({ path, content }) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      path: `${folder}/${path}`,
      content,
    }));
    return { body: wanted === 'any' ? { status, files: contents } : contents };
  };
}

export function listTree(wanted: 'any' | 'full') {
  return async (options: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> => {
    const { status, folder, files } = await readRepository(options, request, wanted);
    const urls = files.map(({ path }) => `${originOf(request)}/repository/${folder}/${toUrlPath(path)}`);
    return { body: wanted === 'any' ? { status, files: urls } : urls };
  };
}

export async function sendFile(options: V1RoutesOptions, request: V1Request): Promise<{ answer: Answer }> {
  const { match } = request.params;
  if (match !== 'full_match' && match !== 'partial_match') {
    throw new VerificationError('invalid_parameter', 'The match must be full_match or partial_match');
  }
  const { status, files } = await readRepository(options, request, 'any');
  const wanted = request.params['*'];
  const file = match === `${status}_match` && files.find(({ path }) => path === wanted);
  if (!file) throw notFound();
  const answer: Answer = {
    status: 200,
    body: file.content,
    contentType: file.kind === 'json' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
  return { answer };
}

/** As addresses of this server. */
export function toUrlPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

async function readRepository(
  { registry, lookup }: V1RoutesOptions,
  { params }: V1Request,
  wanted: 'any' | 'full',
): Promise<Repository> {
  const chain = requireChain(registry, params.chain!);
  const { address } = resolveContract(registry, chain.chainId, params.address!);
  const found = await lookup.find(chain, address);
  const details = found && (await lookup.details(found));
  if (!details) throw notFound();
  const status = matchOf(found.contract) === 'perfect' ? 'full' : 'partial';
  if (wanted === 'full' && status !== 'full') throw notFound();
  const folder = `contracts/${status}_match/${chain.chainId}/${toChecksumAddress(address)}`;
  return { status, folder, files: toRepositoryFiles(details) };
}

/** As the client named this server. */
function originOf({ protocol, host }: V1Request): string {
  return /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : '';
}

function notFound(): VerificationError {
  return new VerificationError('not_found', 'Files have not been found!');
}
