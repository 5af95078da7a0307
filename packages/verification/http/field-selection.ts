// Which members of a verified contract a caller wants: `fields` adds to the short form, `omit` removes from the full
// one. Both name members as `abi` or `runtimeBytecode.onchainBytecode`.

import { VerificationError } from '../terms/verification-error.ts';
import { detailParts } from './verified-contract-body.ts';

export type FieldSelection =
  | { kind: 'short' }
  | { kind: 'only'; paths: readonly string[] }
  | { kind: 'without'; paths: readonly string[] };

/** The members of a member that can be selected one by one. */
function partsOf(name: string): readonly string[] {
  const part = detailParts[name];
  return typeof part === 'object' ? Object.keys(part) : [];
}

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

/** Whether anything of this member of the long form is wanted. */
export function isSelected(selection: FieldSelection, name: string): boolean {
  if (selection.kind === 'short') return false;
  if (selection.kind === 'without') return !selection.paths.includes(name);
  return selection.paths.some((path) => path === name || path.startsWith(`${name}.`));
}

export function selectFields(contract: Record<string, unknown>, selection: FieldSelection): Record<string, unknown> {
  if (selection.kind === 'short') return pick(contract, shortMembers);
  const { paths } = selection;
  const chosenOf = (name: string): string[] =>
    paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
  if (selection.kind === 'only') {
    const whole = Object.keys(detailParts).filter((name) => paths.includes(name));
    const parts = Object.keys(detailParts)
      .filter((name) => !whole.includes(name) && chosenOf(name).length > 0)
      .map((name) => [name, pick(contract[name], chosenOf(name))]);
    return { ...pick(contract, [...shortMembers, ...whole]), ...Object.fromEntries(parts) };
  }
  const left = Object.entries(contract).filter(([name]) => !paths.includes(name));
  return Object.fromEntries(
    left.map(([name, value]) => {
      const gone = chosenOf(name);
      const kept = partsOf(name).filter((member) => !gone.includes(member));
      return [name, gone.length === 0 ? value : pick(value, kept)];
    }),
  );
}

function parsePaths(text: string): string[] {
  const paths = text.split(',').map((path) => path.trim());
  for (const path of paths) {
    const [name = '', member, ...deeper] = path.split('.');
    const isDetail = Object.hasOwn(detailParts, name);
    const isKnown =
      member === undefined ? isDetail || shortMembers.includes(name) : isDetail && partsOf(name).includes(member);
    if (!isKnown || deeper.length > 0) {
      const message = `Field selector ${path.slice(0, 100)} is not a valid field selector`;
      throw new VerificationError('invalid_parameter', message);
    }
  }
  return paths;
}

function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  const members = (value ?? {}) as Record<string, unknown>;
  return Object.fromEntries(names.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]));
}
