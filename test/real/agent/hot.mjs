// Burns CPU in one known function, hotLoop, until its time (argument, ms) is up or it is killed. It knows nothing of the agent.
function hotLoop(rounds) {
  let x = 1;
  for (let i = 0; i < rounds; i++) x = Math.sqrt(x * i + 1);
  return x;
}

const end = Date.now() + Number(process.argv[2]);
function turn() {
  const turnEnd = Date.now() + 50;
  while (Date.now() < turnEnd) hotLoop(1_000_000);
  if (Date.now() < end) setTimeout(turn, 1);
}
turn();
