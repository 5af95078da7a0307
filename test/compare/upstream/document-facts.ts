// What an OpenAPI document says, by operation: parameters with their types and words, and the members of the answer of
// success.

export type Operation = {
  /** By `in name`: `query limit`. */
  parameters: ReadonlyMap<string, { type: string; words: readonly string[] | null }>;
  /** By path in the body: `results[].gas_used`. */
  members: ReadonlyMap<string, string>;
};
/** By method and path, whose parameters have no names: `get /api/v1/accounts/{}`. */
export type DocumentFacts = ReadonlyMap<string, Operation>;

// biome-ignore lint/suspicious/noExplicitAny: a document of somebody else may have anything.
type Node = any;

const methods = ['get', 'post', 'put', 'delete', 'patch'];
/** Deeper members are those of a schema that contains itself. */
const maxDepth = 12;

export function readDocumentFacts(document: Node): DocumentFacts {
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries<Node>(document?.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      if (!operation) continue;
      const name = `${method} ${path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')}`;
      const given = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) => follow(document, one));
      operations.set(name, { parameters: toParameters(document, given), members: toMembers(document, operation) });
    }
  }
  return operations;
}

function toParameters(document: Node, given: readonly Node[]): Operation['parameters'] {
  return new Map(
    given
      .filter((parameter) => parameter?.in === 'query')
      .map((parameter) => {
        const schema = follow(document, parameter.schema);
        const inner = schema?.type === 'array' ? follow(document, schema.items) : schema;
        const words: readonly string[] | null = inner?.enum ? inner.enum.map(String).sort() : null;
        return [`query ${parameter.name}`, { type: String(inner?.type ?? 'string'), words }];
      }),
  );
}

function toMembers(document: Node, operation: Node): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const success = follow(document, operation.responses?.['200'] ?? operation.responses?.[200]);
  const content = success?.content ?? {};
  const json = content['application/json'] ?? content['*/*'];
  addMembers(document, json?.schema, '', members, 0);
  return members;
}

function addMembers(document: Node, node: Node, path: string, members: Map<string, string>, depth: number): void {
  const schema = follow(document, node);
  if (!schema || depth > maxDepth) return;
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    addMembers(document, part, path, members, depth + 1);
  }
  if (schema.items) addMembers(document, schema.items, `${path}[]`, members, depth + 1);
  for (const [name, member] of Object.entries<Node>(schema.properties ?? {})) {
    const own = path === '' || path.endsWith('.') ? `${path}${name}` : `${path}.${name}`;
    if (!members.has(own)) members.set(own, typeOf(document, member));
    addMembers(document, member, own, members, depth + 1);
  }
}

function typeOf(document: Node, node: Node): string {
  const schema = follow(document, node);
  const parts: Node[] = [...(schema?.allOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])];
  const types = [schema?.type, ...parts.map((part) => typeOf(document, part))].flat();
  const known = types.filter((type) => typeof type === 'string' && type !== 'null' && type !== 'any');
  return known[0] ?? (schema?.properties ? 'object' : 'any');
}

/** The schema or parameter that a reference means. */
function follow(document: Node, node: Node): Node {
  let found = node;
  for (let step = 0; typeof found?.$ref === 'string' && step < 20; step++) {
    const steps = found.$ref.replace(/^#\//, '').split('/');
    found = steps.reduce((at: Node, name: string) => at?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  }
  return found;
}
