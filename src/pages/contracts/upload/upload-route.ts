// `POST /{network}/contract/:contractId/source`: sources that a form hands in become a check like those of `POST
// /v2/verify`, in the same queue, with the same limits; the page then shows how it goes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../../packages/kit/markup.ts';
import type { BodyAllowance } from '../../../../packages/verification/http/body-allowance.ts';
import { sourcesBody } from '../../../../packages/verification/http/body-limits.ts';
import { addFormParser, refuseEncodings } from '../../../../packages/verification/http/body-parsers.ts';
import { clientOf } from '../../../../packages/verification/http/request-parts.ts';
import { readUpload } from '../../../../packages/verification/http/v1/read-upload.ts';
import { toVerificationError } from '../../../../packages/verification/http/verification-error-body.ts';
import type { Chain } from '../../../../packages/verification/registry/chain-registry.ts';
import { VerificationError } from '../../../../packages/verification/terms/verification-error.ts';
import type { VerificationJobs } from '../../../../packages/verification/verification-jobs.ts';
import { writeAnswer } from '../../../../packages/web-server/write-answer.ts';
import { htmlAnswer } from '../../add-pages.ts';
import { ofNetwork, pagesStart } from '../../frame/network-slug.ts';
import { framePage, type PageSite } from '../../frame/page-frame.ts';
import { htmlType } from '../../frame/refusal-page.ts';
import { foreignText } from '../../parts/foreign-text.ts';

import { readForm } from './read-form.ts';

export type UploadRouteOptions = {
  /** The mirrored ledger; null = its contracts are not checked here at present. */
  ownChain(): Chain | null;
  jobs: VerificationJobs;
  site: PageSite;
};

type Request = FastifyRequest<{ Params: { contractId: string } }>;

export function addUploadRoute(app: FastifyInstance, options: UploadRouteOptions, takeAllowance: BodyAllowance): void {
  const { site, ownChain } = options;
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendRefusal(request, reply, error, site));
    scope.removeAllContentTypeParsers();
    await addFormParser(scope);
    refuseEncodings(scope);
    scope.route({
      method: 'POST',
      url: `${pagesStart}/contract/:contractId/source`,
      ...ofNetwork('mirrored'),
      bodyLimit: sourcesBody,
      onRequest: takeAllowance,
      async handler(request: Request, reply) {
        const chain = ownChain();
        if (!chain) throw new VerificationError('route_not_found', 'Contracts of this ledger are not checked here.');
        const id = await startCheck(options.jobs, chain.chainId, request);
        const path = `/${site.slug}/contract/${encodeURIComponent(request.params.contractId)}/source`;
        const location = `${path}?job=${id}#job`;
        await writeAnswer(request, reply, {
          status: 303,
          body: '',
          location,
          cacheControl: 'no-store',
          contentType: htmlType,
        });
        return reply;
      },
    });
  });
}

async function startCheck(jobs: VerificationJobs, chainId: string, request: Request): Promise<string> {
  const check = readForm(await readUpload(request));
  const asked = { chainId, address: request.params.contractId, client: clientOf(request) };
  switch (check.kind) {
    case 'similar':
      return jobs.checkSimilar(asked);
    case 'metadata':
      return jobs.checkMetadata({ ...asked, metadata: check.metadata, files: check.files });
    case 'claim':
      return jobs.checkSources({ ...asked, claim: check.claim });
  }
}

/** What is wrong with the form, as a page: the way back is that of the browser, which keeps what was typed. */
async function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  site: PageSite,
): Promise<void> {
  const { status, message, retryAfterSeconds, code } = toVerificationError(error);
  if (status >= 500) request.log.error({ err: error, code }, 'a contract check could not be made');
  const title = status >= 500 ? 'This went wrong' : 'Nothing was checked';
  const sentence =
    status === 415 ? 'Sources are handed in by the form of the page of the contract (multipart/form-data).' : message;
  const main = html`<h1>${title}</h1>
<div class="card"><p class="notice">${foreignText(sentence, { max: 2000 })}</p>
<p>Go back in your browser: the form is as you filled it.</p></div>`;
  const body = framePage(site, { title, main });
  await writeAnswer(request, reply, {
    ...htmlAnswer(body, status),
    cacheControl: 'no-store',
    retryAfterSeconds: retryAfterSeconds === undefined ? undefined : Math.ceil(retryAfterSeconds),
  });
}
