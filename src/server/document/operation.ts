// Parts of operations that are described by hand.

type Operation = object;
export type Paths = Record<string, Record<string, Operation>>;

export const content = (type: string, schema: object = {}) => ({ content: { [type]: { schema } } });
export const anyObject = { type: 'object', additionalProperties: true };

export function operation(
  tag: string,
  operationId: string,
  summary: string,
  {
    type = 'application/json',
    schema = anyObject as object,
    description = 'The answer.',
    status = '200',
    missing = '',
    ...rest
  } = {},
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
