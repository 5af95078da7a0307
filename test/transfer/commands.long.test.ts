// With mirrors that run meanwhile, and loads that are repaired.
import './commands.test.ts';
