// Two lists in their order, of which one may have members that belong to none of the other: what belongs together in
// every way.

/**
 * For each part the only owner that it can have, if each part has one, each owner at most one part, and both keep their
 * order; null: there are several. Empty if there is no such way.
 */
export function findOnly<Owner, Part>(
  owners: readonly Owner[],
  parts: readonly Part[],
  fits: (owner: Owner, part: Part) => boolean,
): (Owner | null)[] {
  const first: number[] = [];
  let at = -1;
  for (const part of parts) {
    do at += 1;
    while (at < owners.length && !fits(owners[at]!, part));
    first.push(at);
  }
  if (at >= owners.length) return [];
  const only: (Owner | null)[] = [];
  at = owners.length;
  for (let index = parts.length - 1; index >= 0; index--) {
    do at -= 1;
    while (at >= 0 && !fits(owners[at]!, parts[index]!));
    only.push(at === first[index] ? owners[at]! : null);
  }
  return only.reverse();
}
