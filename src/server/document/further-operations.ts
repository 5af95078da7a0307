// Operations of the API document beyond those that route tables describe: JSON-RPC, and requests of operators.
import { anyObject, content, operation, type Paths } from '../../../packages/web-server/operation.ts';

const metricsPath: Paths = {
  '/metrics': {
    get: operation('Health', 'getMetrics', 'Counts and durations for Prometheus', {
      type: 'text/plain',
      schema: { type: 'string' },
    }),
  },
};

export function rpcPaths(): Paths {
  const call = {
    type: 'object',
    required: ['jsonrpc', 'id', 'method'],
    properties: {
      jsonrpc: { const: '2.0' },
      id: { type: ['string', 'number', 'null'] },
      method: { type: 'string', examples: ['eth_blockNumber'] },
      params: { type: 'array' },
    },
  };
  return {
    '/rpc': {
      post: operation('JSON-RPC', 'callRpc', 'The ledger as Ethereum clients read it', {
        requestBody: {
          required: true,
          ...content('application/json', { oneOf: [call, { type: 'array', maxItems: 100, items: call }] }),
        },
        description: 'The result, or the error of a call that was reverted; of a batch all answers in order.',
        schema: { oneOf: [anyObject, { type: 'array', items: anyObject }] },
      }),
    },
  };
}

export function operatorPaths(hasMetrics: boolean): Paths {
  return {
    ...(hasMetrics ? metricsPath : {}),
    '/api/v1/docs/openapi.json': {
      get: operation('Health', 'getDocument', 'This document as JSON'),
    },
    '/api/v1/docs/openapi.yml': {
      get: operation('Health', 'getDocumentAsYaml', 'This document as YAML', { type: 'application/yaml' }),
    },
  };
}
