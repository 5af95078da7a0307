// Some clients have fixed addresses. Their requests are sent to the mirror under test, with path, query and body
// unchanged.

/** Sends what goes to one of `origins` to `mirrorUrl`, from now on and for the whole process. */
export function redirectFetch(origins: readonly string[], mirrorUrl: string): void {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (!origins.includes(address.origin)) return original(input, init);
    const target = `${mirrorUrl}${address.pathname}${address.search}`;
    return original(input instanceof Request ? new Request(target, input) : target, init);
  };
}
