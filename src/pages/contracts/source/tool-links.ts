// Links that verification tools print after a check, with the paths of the explorers and servers that they were made
// for: each leads to the page here that says the same.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { addRouteTable, type TableRoute } from '../../../../packages/verification/http/add-route-table.ts';
import type { BodyAllowance } from '../../../../packages/verification/http/body-allowance.ts';
import { toUrlPath } from '../../../../packages/verification/http/v1/repository-routes.ts';
import { sendVerificationError } from '../../../../packages/verification/http/verification-error-body.ts';
import type { VerificationRoutesOptions } from '../../../../packages/verification/http/verification-routes.ts';
import type { Chain } from '../../../../packages/verification/registry/chain-registry.ts';
import { toHex } from '../../../../packages/verification/terms/hex.ts';
import { VerificationError } from '../../../../packages/verification/terms/verification-error.ts';
import type { Answer } from '../../../../packages/web-server/route.ts';
import type { PageSite } from '../../frame/page-frame.ts';
import { htmlType } from '../../frame/refusal-page.ts';

export type ToolLinksOptions = Pick<VerificationRoutesOptions, 'lookup' | 'jobs'> & {
  site: PageSite;
  /** The mirrored ledger; null = its contracts are not checked here at present. */
  ownChain(): Chain | null;
};

type Request = FastifyRequest<{ Params: Readonly<Record<string, string>> }>;
type Route = TableRoute<ToolLinksOptions, Request, { answer: Answer }>;

const routes: readonly Route[] = [
  // Etherscan and Blockscout, of contracts with `#code` behind.
  link('/address/:address', ({ site, ownChain, lookup }, { address }) =>
    toPageOf(address!, site, async (known) => {
      const chain = ownChain();
      return chain ? (await lookup.onchain(chain, known)).kind : 'none';
    }),
  ),
  // The files of Sourcify's repository, by a browser of their own.
  link('/contracts/:match/:chain/:address', async (_options, { chain, address }) => repoPage(chain!, address!)),
  link('/contracts/:match/:chain/:address/*', async (_options, { match, chain, address, '*': file }) => {
    if (!file) return repoPage(chain!, address!);
    if (file.split('/').includes('..')) throw new VerificationError('not_found', 'Files have not been found!');
    return `/repository/contracts/${toUrlPath(`${match}/${chain}/${address}/${file}`)}`;
  }),
  link('/verify-ui/jobs/:id', toJobPage),
  link('/verify-ui', async ({ site }) => `/${site.slug}/contracts`),
  link('/repo-ui', async ({ site }) => `/${site.slug}/contracts`),
];

export function addToolLinks(app: FastifyInstance, options: ToolLinksOptions, takeAllowance: BodyAllowance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error));
    addRouteTable(scope, routes, { options, takeAllowance });
  });
}

type FindPath = (options: ToolLinksOptions, params: Request['params']) => Promise<string>;

function link(url: string, find: FindPath): Route {
  return {
    method: 'GET',
    url,
    async run(options, { params }) {
      const location = await find(options, params);
      return { answer: { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType } };
    },
  };
}

function repoPage(chain: string, address: string): string {
  return `/repo-ui/${toUrlPath(`${chain}/${address}`)}`;
}

/** What is no contract is looked for as everything else is. */
async function toPageOf(
  address: string,
  site: PageSite,
  kindOf: (address: string) => Promise<string>,
): Promise<string> {
  const isContract = /^0x[0-9a-f]{40}$/i.test(address) && (await kindOf(address.toLowerCase())) === 'contract';
  if (!isContract) return `/search?q=${encodeURIComponent(address.slice(0, 300))}`;
  return `/${site.slug}/contract/${toChecksumAddress(address.toLowerCase())}/source`;
}

async function toJobPage({ jobs, site, ownChain }: ToolLinksOptions, { id }: Request['params']): Promise<string> {
  const job = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id!) ? await jobs.find(id!.toLowerCase()) : null;
  if (job === null)
    throw new VerificationError('job_not_found', `No verification job has the id ${id!.slice(0, 100)}.`);
  const address = toChecksumAddress(toHex(job.address));
  if (job.chainId.toString() === ownChain()?.chainId)
    return `/${site.slug}/contract/${address}/source?job=${job.id}#job`;
  // Contracts of other chains have a page once they are verified.
  return job.outcome ? repoPage(job.chainId.toString(), address) : `/v2/verify/${job.id}`;
}
