// The entry point of `npm start`, `npm test` and the other root scripts. They `exec` it, so that a signal
// that npm passes on reaches this process and not a shell in between, which would leave it running.
//
// It runs before anything is installed, so it and what it imports first use Node's built-ins only. This file
// must also parse on a Node that is too old for everything else, to say so: no static imports, no recent
// syntax.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Subrail needs Node 20.19 or newer, and this is Node ${process.versions.node}.`);
  console.error('Install a newer one from https://nodejs.org and run the same command again.');
  process.exit(1);
}

void import('./tasks/commands.mjs').then(({ runCommand }) =>
  runCommand(process.argv[2], process.argv.slice(3)),
);
