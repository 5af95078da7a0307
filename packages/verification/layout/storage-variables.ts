// Variables of a contract by the slot that they lie in, from the compiler's storage layout. The layout may be
// anybody's: its size and depth are bounded, and what makes no sense is left out.
// https://docs.soliditylang.org/en/v0.8.28/internals/layout_in_storage.html

export type StorageVariable = {
  /** With the names of the structs around it: `owner.account`. */
  name: string;
  /** As in the source: `uint256`, `contract Counter`, `enum Phase`. */
  type: string;
  kind: 'uint' | 'int' | 'bool' | 'address' | 'bytes' | 'enum' | 'text' | 'length' | 'other';
  /** Bytes from the right end of the slot. */
  offset: number;
  size: number;
};

type Members = Record<string, unknown>;

const maxVariables = 2_000;
const maxDepth = 6;
const maxNameLength = 200;
const slotBytes = 32;

export type Walk = {
  types: Members;
  /** By the number of the slot, without what lies at hashes. */
  found: Map<bigint, StorageVariable[]>;
  /** Mappings, lists and texts, whose content lies at hashes of their slot. */
  hashed: { name: string; type: string; slot: bigint }[];
  /** Variables that may still be added. */
  left: number;
};
type Place = { prefix: string; base: bigint; depth: number };

/** `layout`: parsed JSON, of any kind. null = it is no layout. */
export function walkStorage(layout: unknown): Walk | null {
  if (!isObject(layout) || !isObject(layout.types)) return null;
  const walk: Walk = { types: layout.types, found: new Map(), hashed: [], left: maxVariables };
  addMembers(walk, layout.storage, { prefix: '', base: 0n, depth: 0 });
  return walk;
}

/** A value of a type that begins at a slot. */
export function addValue(walk: Walk, name: string, type: string, slot: bigint): void {
  addMembers(walk, [{ label: name, slot: '0', offset: 0, type }], { prefix: '', base: slot, depth: 0 });
}

function addMembers(walk: Walk, list: unknown, { prefix, base, depth }: Place): void {
  if (!Array.isArray(list) || depth > maxDepth) return;
  for (const variable of list) {
    if (walk.left-- <= 0) return;
    if (!isObject(variable)) continue;
    const { label, slot, offset, type } = variable;
    if (typeof label !== 'string' || typeof type !== 'string' || typeof slot !== 'string') continue;
    if (!/^\d{1,78}$/.test(slot) || typeof offset !== 'number' || !Number.isInteger(offset)) continue;
    const described = Object.hasOwn(walk.types, type) ? walk.types[type] : undefined;
    if (!isObject(described) || offset < 0 || offset >= slotBytes) continue;
    const at = base + BigInt(slot);
    const name = `${prefix}${label}`.slice(0, maxNameLength);
    if (described.encoding === 'inplace' && Array.isArray(described.members)) {
      addMembers(walk, described.members, { prefix: `${name}.`, base: at, depth: depth + 1 });
      continue;
    }
    if (described.encoding !== 'inplace') walk.hashed.push({ name, type, slot: at });
    const size = Number(described.numberOfBytes);
    const shownType = typeof described.label === 'string' ? described.label.slice(0, maxNameLength) : type;
    const fits = Number.isInteger(size) && size > 0 && offset + size <= slotBytes;
    const kind = kindOf(type.slice(0, maxNameLength), described.encoding);
    const variables = walk.found.get(at) ?? [];
    variables.push({ name, type: shownType, kind: fits ? kind : 'other', offset, size: fits ? size : slotBytes });
    walk.found.set(at, variables);
  }
}

/** By the compiler's identifiers of types. */
function kindOf(type: string, encoding: unknown): StorageVariable['kind'] {
  if (encoding === 'bytes') return 'text';
  if (encoding === 'dynamic_array') return 'length';
  if (encoding !== 'inplace') return 'other';
  if (/^t_uint\d+$/.test(type)) return 'uint';
  if (/^t_int\d+$/.test(type)) return 'int';
  if (type === 't_bool') return 'bool';
  if (type === 't_address' || type === 't_address_payable' || type.startsWith('t_contract(')) return 'address';
  if (/^t_bytes\d+$/.test(type)) return 'bytes';
  return type.startsWith('t_enum(') ? 'enum' : 'other';
}

export type StorageValue = { kind: 'number' | 'bool' | 'address' | 'bytes' | 'text' | 'length'; text: string };

/** `word`: 32 bytes. null = the slot does not say it. */
export function readStorageVariable({ kind, offset, size }: StorageVariable, word: Buffer): StorageValue | null {
  const end = slotBytes - offset;
  const bytes = word.subarray(end - size, end);
  const digits = bytes.toString('hex');
  const value = BigInt(`0x${digits || '0'}`);
  switch (kind) {
    case 'uint':
    case 'enum':
      return { kind: 'number', text: value.toString() };
    case 'int':
      return { kind: 'number', text: BigInt.asIntN(size * 8, value).toString() };
    case 'bool':
      return { kind: 'bool', text: value === 0n ? 'false' : 'true' };
    case 'address':
      return { kind: 'address', text: `0x${digits}` };
    case 'bytes':
      return { kind: 'bytes', text: `0x${digits}` };
    case 'length':
      return { kind: 'length', text: value.toString() };
    case 'text':
      return readText(word);
    default:
      return null;
  }
}

/** Up to 31 bytes lie in the slot, with twice their number at its end; of longer ones only the length does. */
function readText(word: Buffer): StorageValue {
  const last = word[slotBytes - 1]!;
  if (last % 2 === 0) return { kind: 'text', text: word.toString('utf8', 0, Math.min(last / 2, slotBytes - 1)) };
  const length = (BigInt(`0x${word.toString('hex')}`) - 1n) / 2n;
  return { kind: 'length', text: length.toString() };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
