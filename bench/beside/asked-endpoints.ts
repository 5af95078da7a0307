// Which endpoints are asked of both, and what each has to reach.
import type { Endpoint } from '../../src/api/endpoint/endpoint.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import type { Question } from './question.ts';

export const goals = {
  /** × by CPU, of every question … */
  every: 5,
  /** … and of lists and of the endpoints that were there first. */
  listsAndFirst: 8,
  /** × by CPU, where the answer is kept in memory. */
  kept: 25,
  /** p99 of the rival's. */
  p99: 0.5,
} as const;

const firstEndpoints = new Set([
  'getToken',
  'getAccount',
  'getContract',
  'listContractResults',
  'listSchedules',
  'getSchedule',
]);

const callEndpoints = new Set(['callContract', 'getPrestate', 'listOpcodes']);
const isElsewhere = ({ id, peer }: Endpoint): boolean => peer.java !== undefined || callEndpoints.has(id);
const asked = endpoints.filter((endpoint) => endpoint.method === 'GET' && !endpoint.own && !isElsewhere(endpoint));

/**
 * What the rival answers from other services than the measured one: those of its Java REST API, and of contract calls.
 */
export const answeredElsewhere = endpoints.filter(isElsewhere).map(describe);

/** Throws where an endpoint has no question, or a question no endpoint. */
export function assertAllAsked(questions: readonly Question[]): void {
  const missing = asked.filter(({ path }) => !questions.some(({ endpoint }) => endpoint === path));
  if (missing.length > 0) throw new Error(`No question in bench/beside/questions.ts for ${missing.map(describe)}`);
  for (const { name, endpoint } of questions) findEndpoint(name, endpoint);
}

/** × by CPU. */
export function goalOf({ name, endpoint }: Question): number {
  const { id, next } = findEndpoint(name, endpoint);
  return next.length > 0 || firstEndpoints.has(id) ? goals.listsAndFirst : goals.every;
}

function findEndpoint(name: string, path: string): Endpoint {
  const found = asked.find((endpoint) => endpoint.path === path);
  if (!found) throw new Error(`The question ${name} has the path of no endpoint that both answer: ${path}`);
  return found;
}

function describe({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}
