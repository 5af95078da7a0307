// What a process and its children hold at a moment, as /proc of Linux says it, and what a folder takes on disk.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { familyCpuSeconds, listProcesses } from '../../../bench/support/process-usage.ts';

export type ProcessSample = {
  pid: number;
  /**
   * Memory of this process alone, without shared memory and files: PostgreSQL's buffers fill as the database grows, up to
   * their setting, and how much of a program's file counts for a process depends on who else runs it.
   */
  memoryMb: number;
  files: number;
  sockets: number;
  /** Seconds of a processor since it began, with its children. */
  processorS: number;
};

/** null where the process is gone. */
export function sampleProcess(pid: number): ProcessSample | null {
  try {
    const descriptors = readdirSync(`/proc/${pid}/fd`);
    const links = execFileSync('ls', ['-l', `/proc/${pid}/fd`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return {
      pid,
      memoryMb: readMemoryMb(pid),
      files: descriptors.length,
      sockets: links.split('\n').filter((line) => line.includes('socket:[')).length,
      processorS: familyCpuSeconds(String(pid), listProcesses() ?? []),
    };
  } catch {
    return null;
  }
}

/** Throws where the process is gone. */
function readMemoryMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** 0 where the process is gone. */
function memoryMbOf(pid: number): number {
  try {
    return readMemoryMb(pid);
  } catch {
    return 0;
  }
}

/** What a process and all that it started hold in memory, without their files. */
export function sampleFamily(pid: number): ProcessSample {
  const processes = listProcesses() ?? [];
  const family = new Set([String(pid)]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const one of processes) if (family.has(one.parent)) family.add(one.pid);
  }
  const memoryMb = [...family].reduce((sum, member) => sum + memoryMbOf(Number(member)), 0);
  return { pid, memoryMb, files: 0, sockets: 0, processorS: familyCpuSeconds(String(pid), processes) };
}

/** MB. Files that go while they are counted count in part. */
export function folderMb(folder: string, without: string): number {
  try {
    const text = execFileSync('du', ['-sk', `--exclude=${without}`, folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(text.split('\t')[0]) / 1024;
  } catch (error) {
    // du ends with 1 when a file went meanwhile, and has said the sum.
    return Number(String((error as { stdout?: string }).stdout ?? '0').split('\t')[0]) / 1024;
  }
}
