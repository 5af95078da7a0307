// Addresses of block nodes as they are written in settings: `grpc://host:40840`, with TLS `grpcs://host:40840`.

export type BlockNodeAddress = {
  /** As it was written, with the port; names the node in messages. */
  name: string;
  /** host:port. */
  target: string;
  isSecure: boolean;
};

const defaultPort = '40840';

/** Throws an Error that says what is wrong. */
export function parseBlockNodeAddress(text: string): BlockNodeAddress {
  const match = /^(grpcs?):\/\/(\[[0-9a-f:.]+\]|[^[\]/?#@:,\s]+)(?::(\d{1,5}))?\/?$/i.exec(text);
  const port = match?.[3] ?? defaultPort;
  if (!match || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`${text} is no address of a block node; write grpc://<host>:${defaultPort}, or grpcs://… with TLS`);
  }
  const [scheme, target] = [match[1]!.toLowerCase(), `${match[2]!}:${port}`];
  return { name: `${scheme}://${target}`, target, isSecure: scheme === 'grpcs' };
}
