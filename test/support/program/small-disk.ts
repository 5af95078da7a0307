// A disk of a given size in a folder, which can be filled. Linux, as root: a file with a file system in it.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type SmallDisk = {
  folder: string;
  /** Until not a byte more goes in. */
  fill(): void;
  free(): void;
  /** Also while files of it are open. */
  close(): void;
};

/** null where none can be made. `place`: a folder for the file and the disk. */
export function mountSmallDisk(place: string, sizeBytes: number): SmallDisk | null {
  const [image, folder] = [join(place, 'disk.img'), join(place, 'disk')];
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, sizeBytes);
  const isMounted = run('mkfs.ext4', '-q', '-F', '-m', '0', image) && run('mount', '-o', 'loop', image, folder);
  if (!isMounted) {
    rmSync(image);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      run('fallocate', '-l', String(bavail * bsize), filler);
      writeUntilFull(filler);
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      run('umount', '-l', folder);
      rmSync(image);
    },
  };
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** At the end of the file, with smaller and smaller pieces. */
function writeUntilFull(path: string): void {
  const file = openSync(path, 'a');
  for (let size = 65_536; size >= 1; ) {
    try {
      if (writeSync(file, Buffer.alloc(size, 'x')) < size) size = Math.floor(size / 2);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
}
