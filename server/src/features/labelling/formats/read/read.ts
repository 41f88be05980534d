/** Finds out which format the files of a folder have, and reads them. */
import type { Found, FoundImage } from '../shapes.ts'
import { readCoco } from './coco.ts'
import { readTables } from './csv.ts'
import { readCvat } from './cvat.ts'
import type { From, Reader } from './from.ts'
import { readLabelme } from './labelme.ts'
import { readMasks } from './masks.ts'
import { readVoc } from './voc.ts'
import { readYolo } from './yolo.ts'

/** In the order in which they are tried: texts say more than masks beside them. Texts: `label-exchange:found.<name>`. */
const readers = {
  voc: readVoc,
  coco: readCoco,
  labelme: readLabelme,
  cvat: readCvat,
  yolo: readYolo,
  csv: readTables,
  masks: readMasks,
} satisfies Record<string, Reader>
export type ReaderName = keyof typeof readers

/** What a reader finds; classes that are only used and nowhere listed come last. */
export async function* readAs(name: ReaderName, from: From): AsyncIterable<Found> {
  const used = new Set<string>()
  const listed = new Set<string>()
  for await (const found of readers[name](from)) {
    if (found.kind === 'class') listed.add(found.class.name)
    if (found.kind === 'image') for (const one of namesIn(found.marks)) used.add(one)
    yield found
  }
  for (const one of used)
    if (!listed.has(one))
      yield { kind: 'class', class: { name: one, colour: null, use: 'class', skeleton: null } }
}

const namesIn = ({ tags, things, segments }: FoundImage['marks']): Set<string> =>
  new Set([...tags, ...[...things.values(), ...segments.values()].map(({ class: name }) => name)])

/** The first that tells of an image; where none does, the one that knows most of what stands in the way. */
export async function recogniseLabels(from: From): Promise<ReaderName | null> {
  let [likeliest, most]: [ReaderName | null, number] = [null, 0]
  for (const name of Object.keys(readers) as ReaderName[]) {
    const problems = await problemsUntilImage(readers[name](from))
    if (problems === 'image') return name
    if (problems > most) [likeliest, most] = [name, problems]
  }
  return likeliest
}

async function problemsUntilImage(found: AsyncIterable<Found>): Promise<number | 'image'> {
  let problems = 0
  for await (const one of found)
    if (one.kind === 'image') return 'image'
    else if (one.kind === 'problem') problems += 1
  return problems
}
