import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { builtInNetworks } from '@neuroloom/contract/built-in-networks'
import { flowNetworks } from '@neuroloom/contract/flow/sharpen'
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

/** One that makes studies of flow finer: no task of a data set has it. */
export const isOfFlow = (id: string): boolean => flowNetworks.some((one) => one === id)

/** The documents as they are written, by id. */
export const documents: ReadonlyMap<string, string> = new Map(
  [...Object.values(builtInNetworks).flat(), ...flowNetworks].map((id) => [id, read(`networks/${id}.yaml`)]),
)

export const pytorchTexts: PytorchTexts = parsePytorchTexts(
  JSON.parse(read('pytorch.json')),
  programFiles.map((name) => read(`program/${name}.py`)),
)

let known: Library | null = null

/** Read when it is first asked for: it would take a quarter of what each process needs to start, and few ask. */
export function library(): Library {
  known ??= parseLibrary({
    catalogue: read('catalogue.json'),
    std: read('std.yaml'),
    networks: Object.fromEntries(documents),
  })
  return known
}
