// Names of columns as the names of members: `consensus_end` is `consensusEnd`.

export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
