// Whether something can be imported from each place of the source.
import type { SourcePlace } from '../../../packages/sources/source-places.ts';
import type { StreamBlockFile, StreamSource } from '../../../packages/sources/stream-source.ts';
import { describeProof } from '../../importer/open/block-verification.ts';
import { openBlockFile } from '../../importer/open/open-block-file.ts';
import type { Settings } from '../settings/load-settings.ts';
import { openPlace, readSourceOptions, readSourcePlaces, type SourceOptions } from '../sources/open-source.ts';
import { examineBucket } from './examine-bucket.ts';
import { FailedCheck } from './failed-check.ts';

/** null without a source. Throws FailedCheck, and the error of a bucket, which has its own advice. */
export async function examineSource(settings: Settings): Promise<string | null> {
  const text = settings.find('source');
  if (text === undefined) return null;
  const found: string[] = [];
  const failures: string[] = [];
  let isBucket = true;
  for (const place of readSourcePlaces(text)) {
    await describePlace(place, readSourceOptions(settings)).then(
      (one) => found.push(one),
      (error: Error) => {
        failures.push(error.message);
        isBucket &&= place.kind === 'bucket';
      },
    );
  }
  if (failures.length === 0) return found.join('; ');
  const all = [...failures, ...found].join('; ');
  // A bucket's error has its own advice.
  if (isBucket) throw new Error(all);
  throw new FailedCheck(
    all,
    'Point --source at the folder above recordstreams/, at a folder with blocks, at a bucket with either, or at block nodes (grpc://<host>:40840).',
  );
}

async function describePlace(place: SourcePlace, options: SourceOptions): Promise<string> {
  if (place.kind !== 'bucket') return describeSource(openPlace(place, options));
  const { source, found } = await examineBucket(place, options);
  return `${await describeSource(source)}; ${found}`;
}

/** Throws if nothing can be imported from it. */
async function describeSource(source: StreamSource): Promise<string> {
  for await (const unit of source.units({ position: () => null, live: false, isEnough: () => true })) {
    if (unit.kind === 'block') {
      return `${source.description}: first ${await describeBlock(source, unit.block)}`;
    }
    const { group } = unit;
    const copy = group.copies.find(({ recordName }) => recordName !== null);
    if (!copy) continue;
    const { length } = await source.read(copy, { kind: 'record' });
    const signed = group.copies.filter(({ signatureName }) => signatureName !== null).length;
    return `${source.description}: first file ${copy.recordName} (${length} bytes), signed by ${signed} nodes`;
  }
  throw new Error(`no record file and no block in ${source.description}`);
}

async function describeBlock(source: StreamSource, file: StreamBlockFile): Promise<string> {
  const { block, verification } = await openBlockFile({ source, file, successor: null, signers: null, last: null });
  const proofs = verification.proofs.map(describeProof).join('; ');
  return `block ${file.number} (${file.name}, ${block.sizeBytes} bytes), ${proofs}`;
}
