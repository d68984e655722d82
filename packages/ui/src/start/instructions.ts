/** How one kind of program is made to send its profiles here. */
export interface Instruction {
  readonly id: string;
  readonly title: string;
  /** One sentence above the lines. */
  readonly lead: string;
  /** What is copied, complete with this server's address. */
  readonly lines: string;
}

/** `address` is this server's, without a slash at its end. */
export function instructionsFor(address: string): readonly Instruction[] {
  return [
    {
      id: 'java',
      title: 'Java',
      lead: 'With the Pyroscope Java agent (pyroscope.jar from github.com/grafana/pyroscope-java):',
      lines: [
        'PYROSCOPE_AGENT_ENABLED=true \\',
        'PYROSCOPE_APPLICATION_NAME=my-service \\',
        `PYROSCOPE_SERVER_ADDRESS=${address} \\`,
        'PYROSCOPE_FORMAT=jfr \\',
        'PYROSCOPE_PROFILER_ALLOC=512k \\',
        'PYROSCOPE_LABELS="pod=$HOSTNAME" \\',
        'java -javaagent:pyroscope.jar -jar app.jar',
      ].join('\n'),
    },
    {
      id: 'node',
      title: 'Node.js',
      lead: 'With our own agent (how to install it: docs/agent.md):',
      lines: [
        'PYROSCOPE_AGENT_ENABLED=true \\',
        'PYROSCOPE_APPLICATION_NAME=my-service \\',
        `PYROSCOPE_SERVER_ADDRESS=${address} \\`,
        'PYROSCOPE_LABELS="pod=$HOSTNAME" \\',
        'node --import @pilotlight/agent/register app.js',
      ].join('\n'),
    },
    {
      id: 'go',
      title: 'Go',
      lead: 'With pyroscope-go (go get github.com/grafana/pyroscope-go), at the start of main:',
      lines: [
        'pyroscope.Start(pyroscope.Config{',
        '\tApplicationName: "my-service",',
        `\tServerAddress:   "${address}",`,
        '\tTags:            map[string]string{"pod": os.Getenv("HOSTNAME")},',
        '})',
      ].join('\n'),
    },
    {
      id: 'python',
      title: 'Python',
      lead: 'With pyroscope-io (pip install pyroscope-io), before anything else runs:',
      lines: [
        'import os, pyroscope',
        '',
        'pyroscope.configure(',
        '    application_name="my-service",',
        `    server_address="${address}",`,
        '    tags={"pod": os.environ.get("HOSTNAME", "")},',
        ')',
      ].join('\n'),
    },
    {
      id: 'file',
      title: 'A file',
      lead: 'Any pprof file, gzipped or not:',
      lines: `curl --data-binary @cpu.pb.gz '${address}/ingest?name=my-service&format=pprof'`,
    },
  ];
}
