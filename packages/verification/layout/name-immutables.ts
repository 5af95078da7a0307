// Names and types of the values that a constructor wrote into the code. The compiler says where each lies, by the number
// that it gave to the declaration; its source map says which part of the source each of these places was made of: the
// name, where it is read, or the declaration, where that is public. Everything may be of anybody: sizes are bounded, and
// what is not sure has no name.
// https://docs.soliditylang.org/en/v0.8.28/internals/source_mappings.html
import { isJsonObject } from '../../kit/is-json-object.ts';

export type ImmutableName = {
  name: string;
  /** As it is declared. */
  type: string;
  /** What values of the type are written as: `address` for contracts, `uint8` for an enum; null = not known. */
  plainType: string | null;
};

export type CompiledImmutables = {
  /** As the compiler made it. */
  code: Uint8Array;
  /** Parsed; number of the declaration → places in the code. */
  references: unknown;
  /** null = there is none. */
  sourceMap: string | null;
  /** Parsed; path → `{ id }`. */
  sourceIds: unknown;
  /** By path; null = it is longer than is read. */
  sources: ReadonlyMap<string, Buffer | null>;
};

/** By number of the declaration; those of which it is known. */
export function nameImmutables(compiled: CompiledImmutables): Map<string, ImmutableName> {
  const places = readPlaces(compiled.references);
  const texts = [...compiled.sources.values()].map((bytes) => (bytes === null ? null : withoutComments(bytes)));
  const declared = texts.map((text) => (text === null ? null : findDeclared(text)));
  const types = plainTypes(texts);
  const found = new Map<string, ImmutableName>();
  const name = (id: string, { name, type }: Declared): void => {
    found.set(id, { name, type, plainType: toPlainType(type, types) });
  };
  const all = declared.flatMap((inOne) => inOne ?? []);
  const readAt = textReader(compiled);
  for (const [id, starts] of places) {
    const said = starts.map((start) => readPart(readAt(start)));
    const names = new Set(said.map((part) => part?.name));
    const [only] = names;
    if (names.size !== 1 || only === undefined) continue;
    // A private name may be used again, with another type: then only the declaration says which.
    const types = new Set(all.flatMap((one) => (one.name === only ? [one.type] : [])));
    const type = said.find((part) => part?.type)?.type ?? (types.size === 1 ? [...types][0]! : null);
    if (type !== null) name(id, { name: only, type });
  }
  if (found.size < places.size) {
    const inOrder = declaredInOrder(declared, places.size);
    [...places.keys()].forEach((id, at) => {
      if (!found.has(id) && inOrder[at]) name(id, inOrder[at]);
    });
  }
  return found;
}

type Declared = { name: string; type: string };

/** Where one source declares all that the code has, and no other any: numbers grow with the places in it. */
function declaredInOrder(declared: readonly (Declared[] | null)[], count: number): Declared[] {
  if (declared.includes(null)) return [];
  const [only, ...others] = declared.filter((inOne) => inOne?.length);
  return only?.length === count && others.length === 0 ? only : [];
}

const maxImmutables = 1_000;
const maxPlaces = 100;

/** In the order of their numbers. */
function readPlaces(references: unknown): Map<string, number[]> {
  if (!isJsonObject(references)) return new Map();
  const places = Object.entries(references).flatMap(([id, list]) => {
    if (!/^\d{1,15}$/.test(id) || !Array.isArray(list)) return [];
    const starts = list.slice(0, maxPlaces).flatMap((place: unknown) => {
      const start = isJsonObject(place) ? place.start : undefined;
      return Number.isSafeInteger(start) ? [start as number] : [];
    });
    return [[id, starts] as const];
  });
  return new Map(places.sort(([one], [other]) => Number(one) - Number(other)).slice(0, maxImmutables));
}

const push1 = 0x60;
const push32 = 0x7f;

/** What a place in the code was made of; null = the compiler does not say. */
function textReader({ code, sourceMap, sourceIds, sources }: CompiledImmutables): (start: number) => string | null {
  const ids = isJsonObject(sourceIds) ? sourceIds : {};
  const byId = new Map([...sources].map(([path, bytes]) => [isJsonObject(ids[path]) ? ids[path].id : null, bytes]));
  const instructions = new Map<number, number>();
  for (let at = 0, count = 0; at < code.length; count++) {
    instructions.set(at, count);
    const opcode = code[at]!;
    at += opcode >= push1 && opcode <= push32 ? opcode - push1 + 2 : 1;
  }
  const entries = readSourceMap(sourceMap ?? '');
  return (start) => {
    // The word is what the instruction before it pushes.
    const entry = code[start - 1] === push32 ? entries[instructions.get(start - 1) ?? -1] : undefined;
    const bytes = entry && byId.get(entry.file);
    if (!bytes || entry.start < 0 || entry.length < 0 || entry.length > maxTextLength) return null;
    return bytes.toString('utf8', entry.start, entry.start + entry.length);
  };
}

/** Of a name or of a declaration; others are longer, and say nothing. */
const maxTextLength = 2_000;

type SourceMapEntry = { start: number; length: number; file: number };

/** `start:length:file:…;…`; what is left out is as in the entry before. */
function readSourceMap(text: string): SourceMapEntry[] {
  let [start, length, file] = [-1, -1, -1];
  return text.split(';').map((entry) => {
    const [givenStart, givenLength, givenFile] = entry.split(':', 3);
    if (givenStart) start = Number(givenStart);
    if (givenLength) length = Number(givenLength);
    if (givenFile) file = Number(givenFile);
    return { start, length, file };
  });
}

/** A name that is read, `Base.limit` too, or a declaration; null = neither. */
function readPart(text: string | null): { name: string; type: string | null } | null {
  if (text === null) return null;
  if (/^(?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*$/.test(text))
    return { name: text.slice(text.lastIndexOf('.') + 1), type: null };
  const [only = null, ...others] = findDeclared(blankComments(text));
  return others.length === 0 ? only : null;
}

function findDeclared(text: string): Declared[] {
  const declared: Declared[] = [];
  for (const statement of text.split(/[;{}]/)) {
    const [declaration = ''] = statement.split('=');
    const words = declaration.trim().split(/\s+/);
    if (!words.includes('immutable') || !/^[A-Za-z_$][\w$]*$/.test(words.at(-1)!)) continue;
    declared.push({ name: words.at(-1)!, type: words[0]! });
  }
  return declared;
}

/** What a type that the sources declare is written as; a name that they declare as several is left out. */
function plainTypes(texts: readonly (string | null)[]): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const [, kind, name, of = ''] of text?.matchAll(typeDeclaration) ?? []) {
      const plain = kind === 'type' ? of : kind === 'enum' ? 'uint8' : kind === 'struct' ? '' : 'address';
      found.set(name!, (found.get(name!) ?? new Set()).add(plain));
    }
  }
  return new Map([...found].flatMap(([name, plain]) => (plain.size === 1 ? [[name, [...plain][0]!]] : [])));
}

const typeDeclaration = /\b(contract|interface|library|enum|struct|type)\s+([A-Za-z_$][\w$]*)(?:\s+is\s+([a-z]+\d*))?/g;

function toPlainType(type: string, declared: ReadonlyMap<string, string>): string | null {
  const plain = declared.get(type.slice(type.lastIndexOf('.') + 1)) ?? type;
  return /^(?:address|bool|u?int\d*|bytes\d+)$/.test(plain) ? plain : null;
}

function withoutComments(bytes: Buffer): string {
  return blankComments(bytes.toString('utf8'));
}

/** Comments, and texts in quotes. */
function blankComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g, ' ');
}
