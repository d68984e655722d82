/** Loaded into a server by `--import`: ends it when the test that started it is gone, even by SIGKILL. */
process.stdin.on('end', () => process.exit(1));
process.stdin.resume();
process.stdin.unref();
