// Operations of an API document (OpenAPI 3.1), described at the routes that answer them.

/** What stands in the document at a method of a path. */
export type Operation = object;
/** By path, then by method in lower case. */
export type Paths = Record<string, Record<string, Operation>>;

/** Values that exist, for examples: the chain id of this ledger, and the EVM address of a contract. */
export type OperationExamples = { chainId: string; contractAddress: string };

/** The operation of a route; one without it has another name for what is described elsewhere. */
export type Describe = (examples: OperationExamples) => Operation;

type DescribedRoute = { method: string; url: string; describe?: Describe };

/** The operations of routes, in their order. `:name` of a route is `{name}` in the document, and `*` is `{path}`. */
export function toPaths(routes: readonly DescribedRoute[], examples: OperationExamples): Paths {
  const paths: Paths = {};
  for (const { method, url, describe } of routes) {
    if (!describe) continue;
    const path = url.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(examples) };
  }
  return paths;
}

export const content = (type: string, schema: object = {}) => ({ content: { [type]: { schema } } });
export const anyObject = { type: 'object', additionalProperties: true };

export type OperationParts = {
  /** Of the answer. */
  type?: string;
  schema?: object;
  description?: string;
  status?: string;
  /** What a 404 means; empty = there is none. */
  missing?: string;
  parameters?: object[];
  requestBody?: object;
};

export function operation(
  tag: string,
  operationId: string,
  summary: string,
  {
    type = 'application/json',
    schema = anyObject,
    description = 'The answer.',
    status = '200',
    missing = '',
    ...rest
  }: OperationParts = {},
): Operation {
  return {
    operationId,
    tags: [tag],
    summary,
    ...rest,
    responses: {
      [status]: { description, ...content(type, schema) },
      ...(missing === '' ? {} : { '404': { description: missing, ...content('application/json', anyObject) } }),
    },
  };
}

export function path(name: string, description: string, example: string): object {
  return { name, in: 'path', required: true, description, schema: { type: 'string', examples: [example] } };
}

export function query(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema };
}
