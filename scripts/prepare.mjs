// prepare.mjs [--all]: makes a fresh clone ready. Installs a Node that runs TypeScript where the machine's own is too old,
// then the packages that the mirror runs with; with --all also those of tests and checks. Plain JavaScript: it must run on
// Node 20 as it is.
import { installPackages } from './install-packages.mjs';
import { installRuntime } from './install-runtime.mjs';

installRuntime();
installPackages({ all: process.argv.includes('--all') });
