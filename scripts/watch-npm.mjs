// Tells when the npm that started this process is gone. npm runs scripts through a shell, which lives on when npm is
// killed; so it is the parent of that shell that is watched.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Calls `onGone` once. Does nothing where npm did not start this process, and on Windows. */
export function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  const above = readProcess(parent);
  const npm = /^(ba|da|z|k)?sh$/.test(above?.name ?? '') ? above.parent : null;
  const timer = setInterval(
    () => {
      if (process.ppid === parent && (npm === null || readProcess(parent)?.parent === npm)) return;
      clearInterval(timer);
      onGone();
    },
    // Elsewhere a program has to be started for each look.
    process.platform === 'linux' ? 500 : 2000,
  );
  timer.unref();
}

/** Name and parent of a process; null when it is gone or cannot be seen. */
function readProcess(pid) {
  try {
    if (process.platform === 'linux') {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const end = text.lastIndexOf(')');
      return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(text.slice(end + 2).split(' ')[1]) };
    }
    const [parent, ...command] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return { name: command.join(' ').split('/').at(-1), parent: Number(parent) };
  } catch {
    return null; // Gone in this moment.
  }
}
