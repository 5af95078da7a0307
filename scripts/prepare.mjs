// prepare.mjs [--all]: makes a fresh clone ready. Installs a Node that runs TypeScript where the machine's own is too
// old, then the packages that the mirror runs with; with --all also those of tests and checks. Who installs may be
// another user than who runs it. Plain JavaScript: it must run on Node 20 as it is.
import { installPackages } from './install-packages.mjs';
import { installRuntime } from './install-runtime.mjs';

// Others may read what root installs, whatever root's own habit is.
process.umask(process.umask() & ~0o055);
installRuntime();
installPackages({ all: process.argv.includes('--all') });
