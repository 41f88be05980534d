import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import { type PytorchTexts, parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import { type Library, parseLibrary } from '@neuroloom/contract/network/library'
import { type Task, tasks } from '@neuroloom/contract/task'

const require = createRequire(import.meta.url)
const read = (name: string): string =>
  readFileSync(require.resolve(`@neuroloom/contract/wire/${name}`), 'utf8')

const isOffered = (task: Task, id: string): boolean =>
  (builtInNetworks[task] as readonly string[]).includes(id)

/** Tasks that a network which comes with the product is offered for; none for other ids. */
export const tasksOf = (id: string): Task[] => tasks.filter((task) => isOffered(task, id))

/** The documents as they are written, by id. */
export const documents: ReadonlyMap<string, string> = new Map(
  Object.values(builtInNetworks)
    .flat()
    .map((id) => [id, read(`networks/${id}.yaml`)]),
)

export const pytorchTexts: PytorchTexts = parsePytorchTexts(
  JSON.parse(read('pytorch.json')),
  programFiles.map((name) => read(`program/${name}.py`)),
)

export const library: Library = parseLibrary({
  catalogue: read('catalogue.json'),
  std: read('std.yaml'),
  networks: Object.fromEntries(documents),
})
