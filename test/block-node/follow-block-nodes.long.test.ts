// With an import that is killed while its nodes fail.
import './follow-block-nodes.test.ts';
