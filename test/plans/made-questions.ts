// Questions from the endpoints: valid requests to each, with its parameters in all combinations, about entities with
// most rows and with few.

import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { defaultHttpSettings as settings } from '../../packages/test-support/http/default-settings.ts';
import { RequestError } from '../../packages/web-server/request-error.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { createEndpointRoute } from '../../src/api/endpoint/endpoint-route.ts';
import type { Calls } from '../../src/calls/create-calls.ts';
import { noContractAbis } from '../../src/contracts/abi/create-contract-abis.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { endpoints as grammar } from '../fuzz/endpoints.ts';
import type { LedgerWords } from '../fuzz/ledger-words.ts';
import { makeGoodRequest } from '../fuzz/make-good-request.ts';
import type { PlanQuestion } from './plan-question.ts';

/** Plans are judged of what the ledger is asked. */
const notAsked = async (): Promise<never> => {
  throw new Error('No contract is run for plans');
};
const calls: Calls = {
  ask: notAsked,
  simulate: notAsked,
  trace: notAsked,
  mayShowPrestate: () => true,
  prestate: notAsked,
  mayTrace: () => true,
  counts: () => ({ threads: 0, busy: 0, starting: 0, waiting: 0, lost: 0 }),
  close: async () => {},
};

export function madeQuestions(words: LedgerWords, { ofEach }: { ofEach: number }): PlanQuestion[] {
  const dialect = findDialect('hiero');
  return endpoints.flatMap((endpoint, place) => {
    if (endpoint.method !== 'GET') return [];
    return Array.from({ length: ofEach }, (_, number): PlanQuestion => {
      const { path, query } = makeGoodRequest(
        createSeededRandom('plans', `${endpoint.path} ${number}`),
        words,
        grammar[place]!,
      );
      const queryText = query.join('&');
      const params = readParams(endpoint.path, path);
      return [
        `${path}?${queryText}`,
        async (ledger) => {
          const route = createEndpointRoute(endpoint, {
            ledger,
            calls,
            abis: noContractAbis,
            verifiedShare: async () => null,
            dialect,
            settings,
          });
          try {
            return await route({ path, params, queryText, limitMax: settings.limitMax });
          } catch (error) {
            // An answer 404 was looked up, too.
            if (error instanceof RequestError) return error.found;
            throw error;
          }
        },
      ];
    });
  });
}

function readParams(template: string, path: string): Record<string, string> {
  const steps = path.split('/');
  return Object.fromEntries(
    template.split('/').flatMap((step, at) => (step.startsWith('{') ? [[step.slice(1, -1), steps[at]!]] : [])),
  );
}
