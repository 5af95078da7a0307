// Whole files in a folder or in a bucket, by name: what an export of a database is read from and written to.

export type PlacedFile = {
  /** Relative to the place, with `/` between folders. */
  path: string;
  sizeBytes: number;
};

export type FilePlace = {
  /** For messages. */
  name: string;
  /** All files below it, in any order. Throws StreamSourceError. */
  list(signal?: AbortSignal): Promise<PlacedFile[]>;
  /**
   * The bytes from `from` on, or from the first; goes on after a broken connection. The iteration throws
   * StreamSourceError.
   */
  read(path: string, options?: { signal?: AbortSignal | undefined }): AsyncIterable<Uint8Array>;
  /** Replaces the file when all bytes are there; before that, and after an error, it is as it was. */
  write(path: string, bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  remove(path: string): Promise<void>;
};

/** Sent to threads, which open the place themselves. */
export type FilePlaceAddress =
  | { kind: 'folder'; path: string }
  | {
      kind: 'bucket';
      store: 's3' | 'gs';
      bucket: string;
      /** Without `/` at its ends. */
      prefix: string;
      endpoint?: string | undefined;
      region?: string | undefined;
      requesterPays: boolean;
      project?: string | undefined;
      /** Longest silence of the store. */
      timeoutMs: number;
    };
