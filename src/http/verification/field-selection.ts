// Which members of a verified contract a caller wants: `fields` adds to the short form, `omit` takes away from the whole.
// Both name members as `abi` or `runtimeBytecode.onchainBytecode`.
import { VerificationError } from '../../verification/terms/verification-error.ts';

export type FieldSelection =
  | { kind: 'short' }
  | { kind: 'only'; paths: readonly string[] }
  | { kind: 'without'; paths: readonly string[] };

const codeMembers = [
  'onchainBytecode',
  'recompiledBytecode',
  'sourceMap',
  'linkReferences',
  'cborAuxdata',
  'transformations',
  'transformationValues',
];

/** Members beyond the short form, with their own members where those can be chosen. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  creationBytecode: codeMembers,
  runtimeBytecode: [...codeMembers, 'immutableReferences'],
  deployment: ['transactionHash', 'blockNumber', 'transactionIndex', 'deployer'],
  sources: [],
  compilation: ['language', 'compiler', 'compilerVersion', 'compilerSettings', 'name', 'fullyQualifiedName'],
  abi: [],
  metadata: [],
  storageLayout: [],
  transientStorageLayout: [],
  userdoc: [],
  devdoc: [],
  sourceIds: [],
  signatures: ['function', 'event', 'error'],
  stdJsonInput: ['language', 'sources', 'settings'],
  stdJsonOutput: ['contracts', 'sources'],
  proxyResolution: ['isProxy', 'proxyType', 'implementations'],
};

const shortMembers = [
  'match',
  'creationMatch',
  'runtimeMatch',
  'chainId',
  'address',
  'verifiedAt',
  'matchId',
  'similarTo',
];

export function parseFieldSelection(query: URLSearchParams): FieldSelection {
  const fields = query.get('fields');
  const omit = query.get('omit');
  if (fields !== null && omit !== null) {
    throw new VerificationError('invalid_parameter', 'Cannot specify both fields and omit.');
  }
  if (omit !== null) return { kind: 'without', paths: parsePaths(omit) };
  if (fields === null) return { kind: 'short' };
  return fields === 'all' ? { kind: 'without', paths: [] } : { kind: 'only', paths: parsePaths(fields) };
}

export function selectFields(contract: Record<string, unknown>, selection: FieldSelection): Record<string, unknown> {
  if (selection.kind === 'short') return pick(contract, shortMembers);
  const { paths } = selection;
  if (selection.kind === 'only') {
    const whole = Object.keys(selectable).filter((name) => paths.includes(name));
    const parts = Object.keys(selectable).flatMap((name) => {
      const members = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
      return whole.includes(name) || members.length === 0 ? [] : [[name, pick(contract[name], members)]];
    });
    return { ...pick(contract, [...shortMembers, ...whole]), ...Object.fromEntries(parts) };
  }
  const left = Object.entries(contract).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(
    left.map(([name, value]) => {
      const gone = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
      return [
        name,
        gone.length === 0
          ? value
          : pick(
              value,
              (selectable[name] ?? []).filter((member) => !gone.includes(member)),
            ),
      ];
    }),
  );
}

function parsePaths(text: string): string[] {
  const paths = text.split(',').map((path) => path.trim());
  for (const path of paths) {
    const [name = '', member, ...deeper] = path.split('.');
    const members = Object.hasOwn(selectable, name) ? selectable[name] : undefined;
    const isKnown =
      member === undefined ? members !== undefined || shortMembers.includes(name) : members?.includes(member);
    if (!isKnown || deeper.length > 0) {
      throw new VerificationError(
        'invalid_parameter',
        `Field selector ${path.slice(0, 100)} is not a valid field selector`,
      );
    }
  }
  return paths;
}

function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  const members = (value ?? {}) as Record<string, unknown>;
  return Object.fromEntries(names.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]));
}
