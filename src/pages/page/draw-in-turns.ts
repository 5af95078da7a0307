// Parts of a page that take long to write, one after the other: other requests go on between two of them. Outside of a
// snapshot, whose connection would be held meanwhile.
import type { PageContext } from './page-context.ts';

type Parts = readonly (() => unknown)[];

/** What each part gives, in their order. */
export async function drawInTurns<const T extends Parts>(
  parts: T,
  { takeTurn }: Pick<PageContext, 'takeTurn'>,
): Promise<{ -readonly [Place in keyof T]: T[Place] extends () => infer Drawn ? Drawn : never }> {
  const drawn: unknown[] = [];
  for (const part of parts) {
    if (drawn.length > 0) await takeTurn();
    drawn.push(part());
  }
  return drawn as { -readonly [Place in keyof T]: T[Place] extends () => infer Drawn ? Drawn : never };
}
