// What a parameter may be. The texts of refusals are those of the relay.
import { rpcError } from '../terms/rpc-error.ts';

export type Kind<T> = {
  /** What was expected, for the refusal. */
  error: string;
  /** undefined = the value is not of this kind. May throw RpcError for a part of it. */
  read(value: unknown): T | undefined;
  isOptional?: true;
  /** Of an optional one: what is meant without it. */
  usual?: T;
  /** Of several kinds: the refusal names the value first. */
  isUnion?: true;
};

type ValueOf<K> = K extends Kind<infer T> ? T : never;
export type ValuesOf<Kinds extends readonly Kind<unknown>[]> = { -readonly [I in keyof Kinds]: ValueOf<Kinds[I]> };

export function optional<T>(kind: Kind<T>): Kind<T | undefined> {
  return { ...kind, isOptional: true };
}

/** Without it `value` is meant. */
export function usually<T>(kind: Kind<T>, value: T): Kind<T> {
  return { ...kind, isOptional: true, usual: value };
}

export function either<A, B>(one: Kind<A>, other: Kind<B>): Kind<A | B> {
  return {
    error: `${one.error} OR ${other.error}`,
    read: (value) => one.read(value) ?? other.read(value),
    isUnion: true,
  };
}

/** Throws RpcError for the first parameter that is missing or of another kind. `null` counts as missing. */
export function readParameters<const Kinds extends readonly Kind<unknown>[]>(
  kinds: Kinds,
  params: readonly unknown[],
): ValuesOf<Kinds> {
  if (params.slice(kinds.length).some((value) => value !== null)) throw rpcError.tooManyParameters();
  return kinds.map((kind, place) => readOne(kind, params[place], place)) as ValuesOf<Kinds>;
}

function readOne<T>(kind: Kind<T>, value: unknown, place: number): T | undefined {
  if (value == null && kind.isOptional) return kind.usual;
  if (value === undefined) throw rpcError.missingParameter(place);
  if (value === null) throw rpcError.invalidParameter(place, 'The value passed is not valid: null.');
  const found = kind.read(value);
  if (found !== undefined) return found;
  const text = shown(value);
  throw rpcError.invalidParameter(
    place,
    kind.isUnion ? `The value passed is not valid: ${text}. ${kind.error}` : `${kind.error}, value: ${text}`,
  );
}

/** A list of what is all of one kind, of at most `max`. */
export function listOf<T>(kind: Kind<T>, error: string, max = Number.POSITIVE_INFINITY): Kind<T[]> {
  return {
    error,
    read(value) {
      if (!Array.isArray(value) || value.length > max) return undefined;
      const read = value.map((one) => kind.read(one));
      return read.every((one) => one !== undefined) ? (read as T[]) : undefined;
    },
  };
}

const maxShown = 200;

/** A client's value in a refusal: never longer than this. */
function shown(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** The members of an object by their kinds, of which `null` counts as absent; `name` is that of the object in refusals. */
export function objectOf<const Members extends Readonly<Record<string, Kind<unknown>>>>(
  name: string,
  members: Members,
  { error, isClosed = false }: { error: string; isClosed?: boolean },
): Kind<{ [N in keyof Members]?: ValueOf<Members[N]> }> {
  return {
    error,
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
      const given = value as Record<string, unknown>;
      const unknown = isClosed && Object.keys(given).find((member) => !Object.hasOwn(members, member));
      if (unknown) throw rpcError.invalidParameter(`'${shown(unknown)}' for ${name}`, 'Unknown parameter');
      const read: Record<string, unknown> = {};
      for (const member of Object.keys(members)) {
        const kind = members[member]!;
        const own = Object.hasOwn(given, member) ? given[member] : undefined;
        if (own == null) continue;
        const found = kind.read(own);
        if (found === undefined) {
          throw rpcError.invalidParameter(`'${member}' for ${name}`, `${kind.error}, value: ${shown(own)}`);
        }
        read[member] = found;
      }
      return read as { [N in keyof Members]?: ValueOf<Members[N]> };
    },
  };
}
