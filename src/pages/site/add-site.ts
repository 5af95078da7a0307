// Everything for people and their browsers: pages, the page that checks proofs, the start, and the small files of a
// site.
import type { FastifyInstance } from 'fastify';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { VerifiedSources } from '../../../packages/verification/verified-sources.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { liveFeedsMark } from '../../api/frame/live-feeds-mark.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import type { Dialect } from '../../api/reading/query/dialect.ts';
import { addPages, type PagesFrame } from '../add-pages.ts';
import type { NetworkPaths } from '../frame/network-slug.ts';
import type { PageSite } from '../frame/page-frame.ts';
import { createPageContext } from '../page/page-context.ts';
import { type Labels, showLabels } from '../parts/labels.ts';
import { addLogoRoute } from './logo-route.ts';
import { addProofRoutes } from './proof/proof-routes.ts';
import { addSiteRoutes, type ShowPage } from './site-routes.ts';

type SiteOptions = {
  route: Omit<RouteContext, 'dialect'>;
  network: Pick<NetworkIdentity, 'name'>;
  paths: NetworkPaths;
  labels: Labels;
  /** Of `/api/v1`; pages always ask in `spec`. */
  dialect: Dialect;
  /** What was checked of this ledger's contracts; null = nothing is. */
  sources: VerifiedSources | null;
};

export function addSite(
  app: FastifyInstance,
  { route, network, paths, labels, dialect, sources }: SiteOptions,
  frame: PagesFrame,
): { site: PageSite; showApiPage: ShowPage } {
  const spec = findDialect('spec');
  const findStatus = () => app.hasRoute({ method: 'GET', url: '/status' });
  // No route is added later, and to look for one takes as long as three rows of a list.
  let hasStatus: boolean | null = null;
  app.addHook('onReady', async () => {
    hasStatus = findStatus();
  });
  const site: PageSite = {
    get networkName() {
      return network.name;
    },
    get slug() {
      return paths.slug;
    },
    apiPrefix: dialect === spec ? '' : '/spec',
    hasStatus: () => hasStatus ?? findStatus(),
  };
  const context = createPageContext(
    { ...route, dialect: spec },
    {
      site,
      labels: (start) => showLabels(labels, start),
      sources,
      blocks: frame.blocks,
      hasFeeds: () => app.hasDecorator(liveFeedsMark),
    },
  );
  const { responder, shared: pages, admission, clientOf } = frame;
  addPages(app, context, site, frame);
  addProofRoutes(pages, site);
  addLogoRoute(app, labels, responder);
  const showApiPage = addSiteRoutes(app, { context, site, admission, clientOf }, { responder, pages });
  return { site, showApiPage };
}
