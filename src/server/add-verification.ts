// Contract verification over HTTP: its own operation, and both of Sourcify's APIs. All of them share the memory for
// large bodies.

import type { FastifyInstance } from 'fastify';
import {
  addEtherscanRoutes,
  type EtherscanRoutesOptions,
} from '../../packages/verification/etherscan/etherscan-routes.ts';
import { createBodyAllowance } from '../../packages/verification/http/body-allowance.ts';
import { sourcesBody } from '../../packages/verification/http/body-limits.ts';
import { addSessionRoutes, type SessionRoutesOptions } from '../../packages/verification/http/v1/session-routes.ts';
import type { V1RoutesOptions } from '../../packages/verification/http/v1/v1-context.ts';
import { addV1Routes } from '../../packages/verification/http/v1/v1-routes.ts';
import {
  addVerificationRoutes,
  type VerificationRoutesOptions,
} from '../../packages/verification/http/verification-routes.ts';
import { showRepoPage } from '../pages/contracts/source/repo-page.ts';
import { addToolLinks } from '../pages/contracts/source/tool-links.ts';
import { addUploadRoute, type UploadRouteOptions } from '../pages/contracts/upload/upload-route.ts';
import { maxCallBytes, refuseJsonRpc } from '../pages/site/json-rpc.ts';
import { apiIsTaken, rootIsTaken } from '../pages/site/site-routes.ts';

export type VerificationOptions = VerificationRoutesOptions &
  Omit<V1RoutesOptions, 'showRepoPage' | 'otherCalls'> &
  SessionRoutesOptions &
  UploadRouteOptions;

export function addVerification(app: FastifyInstance, options: VerificationOptions): void {
  const takeAllowance = createBodyAllowance({ bytes: 4 * sourcesBody, bodyLimit: sourcesBody, timeoutMs: 60_000 });
  addVerificationRoutes(app, options, takeAllowance);
  app.decorate(rootIsTaken, true);
  const v1Options: V1RoutesOptions = {
    ...options,
    showRepoPage: (request) => showRepoPage(options, request),
    otherCalls: { maxBytes: maxCallBytes, refuse: refuseJsonRpc },
  };
  addV1Routes(app, v1Options, takeAllowance);
  addSessionRoutes(app, options, takeAllowance);
  addUploadRoute(app, options, takeAllowance);
  addToolLinks(app, options, takeAllowance);
}

/** Etherscan's API at `/api` and `/v2/api`. */
export function addEtherscan(app: FastifyInstance, options: EtherscanRoutesOptions): void {
  app.decorate(apiIsTaken, true);
  addEtherscanRoutes(app, options);
}
