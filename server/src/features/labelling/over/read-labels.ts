import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Work } from '../../../infra/aside/aside.ts'
import { imageFinder } from '../../datasets/service.ts'
import { isBare, wholeOf } from '../exchange/marks.ts'
import type { From } from '../formats/read/from.ts'
import { type ReaderName, readAs, recogniseLabels } from '../formats/read/read.ts'
import type { FoundClass, Size, Target } from '../formats/shapes.ts'
import { type MarkedOrNot, markedOf } from './marked.ts'

type Asked = {
  texts: { path: string; text: string }[]
  image: { path: string; size: Size }
  /** Images of the same name, which lists may mean instead. */
  others: readonly string[]
}

export const readLabelsWork: Work<Asked, MarkedOrNot> = { name: 'readLabels', run: readLabels }

/** What texts say of one image, whichever of the formats they are in. */
export async function readLabels(asked: Asked): Promise<MarkedOrNot> {
  const from = fromTexts(asked)
  const format = await recogniseLabels(from)
  const read = format && (await readFormat(format, from, asked.image.path))
  return read ?? { refused: { name: 'overlay_no_labels', params: {} } }
}

/** Null where nothing is said of the image. */
async function readFormat(format: ReaderName, from: From, path: string): Promise<MarkedOrNot | null> {
  const classes: FoundClass[] = []
  let marks: Marks | null = null
  let leftOut = 0
  for await (const found of readAs(format, from)) {
    if (found.kind === 'class') classes.push(found.class)
    else if (found.kind === 'image' && found.target.name === path) marks = found.marks
    else if (found.kind === 'problem' && found.params.name === path) {
      const { width, height, maskWidth, maskHeight } = found.params
      const params = { image: `${width} × ${height}`, mask: `${maskWidth} × ${maskHeight}` }
      if (found.reason === 'size_differs') return { refused: { name: 'overlay_other_image', params } }
      leftOut += 1
    }
  }
  // A text of which not one entry makes sense is about something else.
  if (!marks || (isBare(marks) && leftOut > 0)) return null
  return markedOf(wholeOf(marks), {
    classes: classes.map(({ name, colour }) => ({ id: name, name, colour })),
    leftOut,
  })
}

function fromTexts({ texts, image, others }: Asked): From {
  const all = new Map(texts.map(({ path, text }) => [path, text]))
  const targets = [image.path, ...others].map((name): Target => ({ name, size: image.size, geometry: null }))
  const byName = new Map(targets.map((target) => [target.name, target]))
  const find = imageFinder([...byName.keys()])
  return {
    paths: [...all.keys()],
    read: async (path) => all.get(path) ?? null,
    // Pictures are decoded elsewhere: masks are laid over an image by themselves.
    async *masks() {},
    inside: async (files) => files.map(() => ({ path: '', refused: { name: 'reader_failed', params: {} } })),
    find: (name) => byName.get(find(name) ?? '') ?? null,
    targets,
  }
}
