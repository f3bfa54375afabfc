import { demo } from './demo.js';

process.exitCode = await demo(process.stdout);
