// More mutations.
import './mutated-blocks.test.ts';
