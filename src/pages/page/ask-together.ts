// Questions that do not need each other's answers, asked at once: they go to the database in one message, where one
// after the other is a message each.

/** Waits for all; throws what the first of them in order was refused with, as if they had been asked in turn. */
export async function askTogether<const T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  const settled = await Promise.allSettled(asked);
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return answers as { -readonly [Place in keyof T]: Awaited<T[Place]> };
}
