// Networks of every number of nodes that matters.
import './network-proofs.test.ts';
