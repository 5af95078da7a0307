/** Whether the promise settles within this time, either way. Its outcome is left to others. */
export async function isSettledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
