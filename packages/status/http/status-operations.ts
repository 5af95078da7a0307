// The status in the API document: the bodies of the Statuspage API and what people and feed readers get, as their route
// tables describe them.
import { type Paths, toPaths } from '../../web-server/operation.ts';
import { statusPages } from './page/add-status-page-routes.ts';
import { summaryRoutes } from './status-routes.ts';

export function statusPaths(): Paths {
  const routes = [...summaryRoutes, ...statusPages].map((route) => ({ method: 'GET', ...route }));
  return toPaths(routes, noExamples);
}

/** None of these operations has one. */
const noExamples = { chainId: '', contractAddress: '' };
