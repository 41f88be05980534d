/**
 * Prints the plan of a built-in network as JSON, for the engine's tests and benches.
 * `npx tsc -b contract && node tools/plan.mjs unet_small --classes 6 --channels 1 --size 64`
 */
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseLibrary } from '../contract/dist/network/library.js'
import { resolve } from '../contract/dist/network/resolve/resolve.js'
import { readYaml } from '../contract/dist/network/yaml/yaml.js'

const wire = new URL('../contract/wire/', import.meta.url)
const read = (path) => readFileSync(new URL(path, wire), 'utf8')
const ids = readdirSync(new URL('networks/', wire)).map((name) => name.replace(/\.yaml$/, ''))
const usage = `usage: node tools/plan.mjs <${ids.join('|')}|file.yaml> [--classes 6] [--channels 1] [--size 64 | --size 64,96] [--param width=8]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    classes: { type: 'string' },
    channels: { type: 'string' },
    size: { type: 'string' },
    param: { type: 'string', multiple: true },
  },
})
const [network] = positionals
if (network === undefined) fail([usage])

const isFile = network.endsWith('.yaml')
if (!isFile && !ids.includes(network)) fail([`unknown network ${network}`, usage])
const library = parseLibrary({
  catalogue: read('catalogue.json'),
  std: read('std.yaml'),
  networks: isFile ? {} : { [network]: read(`networks/${network}.yaml`) },
})
const { document, problems } = isFile
  ? readYaml(readFileSync(network, 'utf8'))
  : { document: library.networks.get(network), problems: [] }
if (document === null) fail(problems)

const data = {}
if (values.classes !== undefined) data.classes = Number(values.classes)
if (values.channels !== undefined) data.channels = Number(values.channels)
if (values.size !== undefined) data.size = sizesOf(values.size, document)
const params = Object.fromEntries(
  (values.param ?? []).map((text) => text.split('=')).map(([name, value]) => [name, Number(value)]),
)

const { plan, errors } = resolve(document, { ...library, params, data })
if (plan === null) fail(errors)
console.log(JSON.stringify(plan))

/** One number stands for every axis of the first input. */
function sizesOf(text, { inputs }) {
  const given = text.split(',').map(Number)
  const rank = [...inputs.values()][0]?.size?.length ?? 2
  return given.length === 1 ? new Array(rank).fill(given[0]) : given
}

function fail(lines) {
  for (const line of lines) console.error(typeof line === 'string' ? line : JSON.stringify(line))
  process.exit(64)
}
