// npm @modelcontextprotocol/sdk 1.x: ts_v1.mjs PREFIX URL MODE CALLS. PREFIX holds the package.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [prefix, url, , calls] = process.argv.slice(2);
const find = createRequire(pathToFileURL(`${prefix}/`));
const load = (name) => import(pathToFileURL(find.resolve(name)));
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load(
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
);

const headers = { Authorization: 'Bearer e2e-token' };
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
const client = new Client({ name: 'e2e', version: '1' });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of JSON.parse(calls)) results.push(await client.callTool(call));
console.log(
  JSON.stringify({
    version: transport.protocolVersion,
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    results,
  }),
);
await client.close();
