// Over more blocks.
import './mirror-agrees.test.ts';
