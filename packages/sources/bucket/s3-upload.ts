// An object of S3 in parts, or in one request if it is small.
import type { S3Client } from '@aws-sdk/client-s3';
import { type Attempt, ObjectStoreError, type Upload } from './object-store.ts';

type Sdk = typeof import('@aws-sdk/client-s3');
type Target = { Bucket: string; Key: string };
type Ask = <Answer>(question: (sdk: Sdk, client: S3Client) => Promise<Answer>) => Promise<Answer>;

export function createS3Upload(target: Target, ask: Ask): Upload {
  /** Not sent while it may be the only one. */
  let first: Buffer | null = null;
  let uploadId: string | null = null;
  let wasAsked = false;
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];

  async function begin({ signal, onBytes }: Attempt): Promise<string> {
    const answer = await ask((sdk, client) =>
      client.send(new sdk.CreateMultipartUploadCommand(target), { abortSignal: signal }),
    );
    onBytes();
    if (answer.UploadId === undefined) throw new Error(`The store begins no upload of ${target.Key}`);
    return answer.UploadId;
  }

  async function send(bytes: Buffer, { signal, onBytes }: Attempt): Promise<void> {
    const PartNumber = parts.length + 1;
    const { ETag } = await ask((sdk, client) =>
      client.send(
        new sdk.UploadPartCommand({
          ...target,
          UploadId: uploadId!,
          PartNumber,
          Body: bytes,
          ContentLength: bytes.length,
        }),
        { abortSignal: signal },
      ),
    );
    onBytes();
    parts.push({ PartNumber, ETag });
  }

  async function sendFirst(attempt: Attempt): Promise<void> {
    uploadId ??= await begin(attempt);
    if (first === null) return;
    await send(first, attempt);
    first = null;
  }

  return {
    async part(bytes, attempt) {
      if (uploadId === null && first === null) {
        first = bytes;
        return;
      }
      await sendFirst(attempt);
      await send(bytes, attempt);
    },
    async complete(attempt) {
      const { signal, onBytes } = attempt;
      if (uploadId === null) {
        const Body = first ?? Buffer.alloc(0);
        await ask((sdk, client) =>
          client.send(new sdk.PutObjectCommand({ ...target, Body, ContentLength: Body.length }), {
            abortSignal: signal,
          }),
        );
      } else {
        const whole = { ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } };
        const isAgain = wasAsked;
        wasAsked = true;
        const asked = ask((sdk, client) =>
          client.send(new sdk.CompleteMultipartUploadCommand(whole), { abortSignal: signal }),
        );
        await asked.catch((error: unknown) => {
          // The answer to an earlier attempt was lost: the upload is the object.
          if (!(isAgain && error instanceof ObjectStoreError && error.code === 'NoSuchUpload')) throw error;
        });
      }
      onBytes();
    },
    async abort({ signal }) {
      const started = uploadId;
      if (started === null) return;
      await ask((sdk, client) =>
        client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId: started }), { abortSignal: signal }),
      );
    },
  };
}
