// The API document with the operations of contract verification, as the route tables describe them.
import { etherscanRoutes } from '../../../packages/verification/etherscan/etherscan-routes.ts';
import { checkSchemas } from '../../../packages/verification/http/explorer-check-operation.ts';
import { sessionRoutes } from '../../../packages/verification/http/v1/session-routes.ts';
import { v1Routes } from '../../../packages/verification/http/v1/v1-routes.ts';
import { verificationTag } from '../../../packages/verification/http/verification-operations.ts';
import { chainRoutes, contractRoutes } from '../../../packages/verification/http/verification-routes.ts';
import { type OperationExamples, toPaths } from '../../../packages/web-server/operation.ts';
import type { ApiDocument } from './api-document.ts';

const routes = [...contractRoutes, ...etherscanRoutes, ...chainRoutes, ...v1Routes, ...sessionRoutes];

export function withVerification(document: ApiDocument, examples: OperationExamples) {
  const { tags, paths, components } = document;
  return {
    ...document,
    tags: [...tags, { name: verificationTag }],
    paths: { ...paths, ...toPaths(routes, examples) },
    components: { ...components, schemas: { ...components.schemas, ...checkSchemas } },
  };
}
