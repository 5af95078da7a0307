import { attackDoors } from './attack-doors.ts';
const counts = { quiet: 0, quietGrpc: 0, deafSockets: 0, deafEvents: 0, deafGrpc: 0, hugeFrames: 2, halfOpen: 0, pings: 0, greedy: 0 };
let t=Date.now();
await attackDoors({ counts, blocks: 2, onOutcome: (o) => { console.log(o, Date.now()-t); t=Date.now(); } });
process.exit(0);
