// npm @modelcontextprotocol/client 2.x: ts_v2.mjs PREFIX URL MODE CALLS, MODE being default, auto,
// pin or legacy. PREFIX holds the package.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [prefix, url, mode, calls] = process.argv.slice(2);
const find = createRequire(pathToFileURL(`${prefix}/`));
const { Client, StreamableHTTPClientTransport } = await import(
  pathToFileURL(find.resolve('@modelcontextprotocol/client'))
);

const negotiation = {
  default: undefined,
  auto: { mode: 'auto' },
  pin: { mode: { pin: '2026-07-28' } },
  legacy: { mode: 'legacy' },
}[mode];
const headers = { Authorization: 'Bearer e2e-token' };
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
const client = new Client(
  { name: 'e2e', version: '1' },
  negotiation ? { versionNegotiation: negotiation } : {},
);
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(calls)) results.push(await client.callTool(call));
console.log(
  JSON.stringify({
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions?.(),
    tools: tools.map((tool) => tool.name),
    results,
  }),
);
await client.close();
