// Contract verification over HTTP: its own operation, and both of Sourcify's APIs. All of them share the memory for large
// bodies.

import type { FastifyInstance } from 'fastify';
import { createBodyAllowance } from '../http/verification/body-allowance.ts';
import { sourcesBody } from '../http/verification/body-limits.ts';
import { addUploadRoute, type UploadRouteOptions } from '../http/verification/upload/upload-route.ts';
import { addSessionRoutes, type SessionRoutesOptions } from '../http/verification/v1/session-routes.ts';
import type { V1RoutesOptions } from '../http/verification/v1/v1-context.ts';
import { addV1Routes } from '../http/verification/v1/v1-routes.ts';
import { addVerificationRoutes, type VerificationRoutesOptions } from '../http/verification/verification-routes.ts';

export type VerificationOptions = VerificationRoutesOptions &
  V1RoutesOptions &
  SessionRoutesOptions &
  UploadRouteOptions;

export function addVerification(app: FastifyInstance, options: VerificationOptions): void {
  const takeAllowance = createBodyAllowance({ bytes: 4 * sourcesBody, bodyLimit: sourcesBody, timeoutMs: 60_000 });
  addVerificationRoutes(app, options, takeAllowance);
  addV1Routes(app, options, takeAllowance);
  addSessionRoutes(app, options, takeAllowance);
  addUploadRoute(app, options, takeAllowance);
}
