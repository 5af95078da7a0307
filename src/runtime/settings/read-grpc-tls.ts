// Certificate and key of the gRPC port.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Settings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

/** null = the port has no TLS. Throws UsageError for files that make none. */
export function readGrpcTls(settings: Settings): { certificate: Buffer; key: Buffer } | null {
  const [certificateFile, keyFile] = [settings.find('grpc-tls-certificate'), settings.find('grpc-tls-key')];
  if (certificateFile === undefined && keyFile === undefined) return null;
  if (certificateFile === undefined || keyFile === undefined) {
    throw new UsageError('--grpc-tls-certificate and --grpc-tls-key belong together.');
  }
  const [certificate, key] = [read('grpc-tls-certificate', certificateFile), read('grpc-tls-key', keyFile)];
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new UsageError(
      `--grpc-tls-certificate ${certificateFile} and --grpc-tls-key ${keyFile} are no certificate with its key: ${(error as Error).message}.`,
    );
  }
  return { certificate, key };
}

function read(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`--${name} ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
