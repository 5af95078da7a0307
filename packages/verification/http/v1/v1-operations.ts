// Parts of the operations of Sourcify's first API in the API document: requests are described, bodies are those of
// Sourcify.
import { anyObject, type Operation, type OperationExamples } from '../../../web-server/operation.ts';
import { verificationTag } from '../verification-operations.ts';

export const text = (examples: string[] = []) => ({ type: 'string', ...(examples.length > 0 && { examples }) });
export const json = (schema: object) => ({ content: { 'application/json': { schema } } });
export const anyList = { type: 'array', items: {} };

type Parts = { description?: string; parameters?: object[]; requestBody?: object; schema?: object; missing?: string };

export function v1Operation(operationId: string, summary: string, parts: Parts): Operation {
  const { description = 'The answer.', parameters, requestBody, schema = anyObject, missing } = parts;
  return {
    operationId,
    tags: [verificationTag],
    summary,
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody }),
    responses: {
      '200': { description, ...json(schema) },
      '400': { description: 'The request is invalid.', ...json(anyObject) },
      ...(missing && { '404': { description: missing, ...json(anyObject) } }),
    },
  };
}

export function parameter(
  place: 'path' | 'query',
  name: string,
  description: string,
  schema: object,
  required = true,
): object {
  return { name, in: place, required: place === 'path' || required, description, schema };
}

export const chainParameter = ({ chainId }: OperationExamples) =>
  parameter('path', 'chain', 'Chain id, decimal.', text([chainId]));
export const addressParameter = ({ contractAddress }: OperationExamples) =>
  parameter('path', 'address', 'EVM address of the contract.', text([contractAddress]));

/** JSON, or the same as a form. */
export function uploadBody(required: string[], members: Record<string, object>): object {
  const files = { type: 'object', additionalProperties: { type: 'string' }, description: 'Content by name.' };
  const parts = { type: 'array', items: { type: 'string', format: 'binary' } };
  const form = { type: 'object', required, properties: { ...members, files: parts } };
  return {
    required: true,
    content: {
      'application/json': { schema: { type: 'object', required, properties: { ...members, files } } },
      'multipart/form-data': { schema: form },
    },
  };
}
