// What `--source` may name: a folder, a bucket, a block node, or a list of them in order of preference. Block nodes are
// `grpc://host:40840`, with TLS `grpcs://host:40840`, and `?status=40982` where the node serves its status on another
// port.

export type SourcePlace =
  | { kind: 'folder'; path: string }
  | { kind: 'blockNode'; address: BlockNodeAddress }
  | BucketPlace;

/** `prefix`: without `/` at its ends; empty = the whole bucket. */
export type BucketPlace = { kind: 'bucket'; store: 's3' | 'gs'; bucket: string; prefix: string };

/** Throws an Error that says what is wrong. */
export function parseSourcePlaces(text: string): SourcePlace[] {
  // A folder's name may have commas; a list has at least one URL.
  const parts = /(^|,)\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text.split(',').map((part) => part.trim()) : [text];
  return parts.map((part) => {
    if (/^grpcs?:/i.test(part)) return { kind: 'blockNode', address: parseBlockNodeAddress(part) };
    if (/^(s3|gs):/i.test(part)) return parseBucketPlace(part);
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(part)) {
      throw new Error(
        `${part} is a URL of another kind; stream files come from folders, buckets (s3://<bucket>/<prefix>, gs://…) and block nodes (grpc://<host>:40840)`,
      );
    }
    if (part === '') throw new Error('an entry of the list is empty; remove the extra comma');
    return { kind: 'folder', path: part };
  });
}

function parseBucketPlace(text: string): BucketPlace {
  const match = /^(s3|gs):\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/([^?#]*))?$/i.exec(text);
  if (!match)
    throw new Error(`${text} is no address of a bucket; write s3://<bucket>/<prefix> or gs://<bucket>/<prefix>`);
  const [, scheme, bucket, path = ''] = match;
  const prefix = path.replace(/^\/+|\/+$/g, '');
  return { kind: 'bucket', store: scheme!.toLowerCase() as 's3' | 'gs', bucket: bucket!, prefix };
}

/** A port of a node. */
export type BlockNodeEndpoint = {
  /** host:port, or addresses as gRPC names them: `ipv4:192.0.2.1:40840`. */
  target: string;
  isSecure: boolean;
  /** If the target has addresses: the host:port that they belong to. The certificate must name the host. */
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
      `${text} has "?${match[4]}"; the only parameter of a block node is ?status=<port>, where its status has a separate port: grpc://<host>:40980?status=40982`,
    );
  }
  return { name: `${name}?status=${statusPort}`, subscription, status: { target: `${host}:${statusPort}`, isSecure } };
}

function isPort(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 65_535;
}
