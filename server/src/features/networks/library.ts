import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Library, parseLibrary } from '@neuroloom/contract/network/library'
import { builtInNetworks } from '@neuroloom/contract/networks'
import type { Task } from '@neuroloom/contract/task'

const require = createRequire(import.meta.url)
const read = (name: string): string =>
  readFileSync(require.resolve(`@neuroloom/contract/wire/${name}`), 'utf8')

/** Task of each network that comes with the product. */
export const taskOf: ReadonlyMap<string, Task> = new Map([
  ...builtInNetworks.classification.map((id) => [id, 'classification'] as const),
  ...builtInNetworks.segmentation.map((id) => [id, 'segmentation'] as const),
])

/** The documents as they are written, by id. */
export const documents: ReadonlyMap<string, string> = new Map(
  [...taskOf.keys()].map((id) => [id, read(`networks/${id}.yaml`)]),
)

export const library: Library = parseLibrary({
  catalogue: read('catalogue.json'),
  std: read('std.yaml'),
  networks: Object.fromEntries(documents),
})
