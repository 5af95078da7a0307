// Addresses of block nodes as they are written in settings: `grpc://host:40840`, with TLS `grpcs://host:40840`, and
// `grpc://host:40980?status=40982` where the node serves its status on a port of its own.

/** A port of a node. */
export type BlockNodeEndpoint = {
  /** host:port, or addresses as gRPC names them: `ipv4:192.0.2.1:40840`. */
  target: string;
  isSecure: boolean;
  /** Where the target is addresses: host:port that they are of. The certificate must name the host. */
  authority?: string;
};

export type BlockNodeAddress = {
  /** As it was written, with the port; names the node in messages. */
  name: string;
  subscription: BlockNodeEndpoint;
  /** The same as `subscription` for most nodes. */
  status: BlockNodeEndpoint;
};

const defaultPort = '40840';

/** Throws an Error that says what is wrong. */
export function parseBlockNodeAddress(text: string): BlockNodeAddress {
  const match = /^(grpcs?):\/\/(\[[0-9a-f:.]+\]|[^[\]/?#@:,\s]+)(?::(\d{1,5}))?\/?(?:\?([^?#\s]*))?$/i.exec(text);
  const port = match?.[3] ?? defaultPort;
  if (!match || !isPort(port)) {
    throw new Error(`${text} is no address of a block node; write grpc://<host>:${defaultPort}, or grpcs://… with TLS`);
  }
  const [scheme, host] = [match[1]!.toLowerCase(), match[2]!];
  const isSecure = scheme === 'grpcs';
  const subscription = { target: `${host}:${port}`, isSecure };
  const name = `${scheme}://${host}:${port}`;
  if (match[4] === undefined) return { name, subscription, status: subscription };
  const statusPort = /^status=(\d{1,5})$/.exec(match[4])?.[1];
  if (statusPort === undefined || !isPort(statusPort)) {
    throw new Error(
      `${text} has "?${match[4]}"; the only parameter of a block node is ?status=<port>, where its status has a port of its own: grpc://<host>:40980?status=40982`,
    );
  }
  return { name: `${name}?status=${statusPort}`, subscription, status: { target: `${host}:${statusPort}`, isSecure } };
}

function isPort(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 65_535;
}
