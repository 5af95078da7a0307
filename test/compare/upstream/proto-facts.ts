// Messages and enums of proto files, by name: fields by their numbers. Files are read one by one, without what they
// import. The packages of HAPI and block streams have no two of one name; those of the package `…support.fees`, which
// do, are `fees.<name>`.
import protobuf from 'protobufjs';
import type { SourceFile } from './read-clone.ts';

export type Field = { name: string; type: string; oneof: string | null };
export type Fields = ReadonlyMap<number, Field>;
export type ProtoFacts = {
  messages: ReadonlyMap<string, Fields>;
  /** Names by number. */
  enums: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** Files that cannot be read. */
  unread: readonly string[];
};

/** A message of several files has the fields of all of them. */
export function readProtoFacts(files: readonly SourceFile[]): ProtoFacts {
  const messages = new Map<string, Map<number, Field>>();
  const enums = new Map<string, Map<number, string>>();
  const unread: string[] = [];
  for (const { path, text } of files) {
    try {
      const { root, package: inPackage } = protobuf.parse(text, new protobuf.Root(), { keepCase: true });
      addNamespace(root, inPackage?.endsWith('support.fees') ? 'fees.' : '', { messages, enums });
    } catch (error) {
      unread.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { messages, enums, unread };
}

type Found = { messages: Map<string, Map<number, Field>>; enums: Map<string, Map<number, string>> };

function addNamespace(namespace: protobuf.NamespaceBase, outer: string, found: Found): void {
  for (const item of namespace.nestedArray) {
    if (item instanceof protobuf.Enum)
      addTo(
        found.enums,
        `${outer}${item.name}`,
        Object.entries(item.values).map(([name, number]) => [number, name]),
      );
    else if (item instanceof protobuf.Type) {
      const fields = item.fieldsArray.map(({ id, name, type, partOf }): [number, Field] => [
        id,
        { name, type, oneof: partOf?.name ?? null },
      ]);
      addTo(found.messages, `${outer}${item.name}`, fields);
      addNamespace(item, `${outer}${item.name}.`, found);
    } else if (item instanceof protobuf.Namespace) addNamespace(item, outer, found);
  }
}

function addTo<V>(all: Map<string, Map<number, V>>, name: string, entries: readonly (readonly [number, V])[]): void {
  const own = all.get(name) ?? new Map<number, V>();
  for (const [number, value] of entries) if (!own.has(number)) own.set(number, value);
  all.set(name, own);
}

/** Messages and enums that these messages are made of, themselves among them. */
export function reachableFrom(roots: readonly string[], { messages, enums }: ProtoFacts): Set<string> {
  const reached = new Set<string>();
  const waiting = roots.filter((name) => messages.has(name));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const { type } of messages.get(name)?.values() ?? []) {
      const found = resolveType(type, name, { messages, enums });
      if (found !== null) waiting.push(found);
    }
  }
  return reached;
}

/** The name of the message or enum that a type means inside of a message; null = a scalar, or not known. */
export function resolveType(
  type: string,
  within: string,
  { messages, enums }: Pick<ProtoFacts, 'messages' | 'enums'>,
): string | null {
  const steps = type.replace(/^\./, '').split('.');
  const outer = within.split('.');
  for (let depth = outer.length; depth >= 0; depth--) {
    for (let from = 0; from < steps.length; from++) {
      const name = [...outer.slice(0, depth), ...steps.slice(from)].join('.');
      if (messages.has(name) || enums.has(name)) return name;
    }
  }
  return null;
}
