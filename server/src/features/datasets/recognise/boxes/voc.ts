/** Boxes as Pascal VOC writes them: an XML file an image. */
import type { Problem } from '@neuroloom/contract/datasets'
import { datasets as limits } from '@neuroloom/contract/limits'
import { inNaturalOrder } from '../class-folders.ts'
import { imageFinder, lackOf } from '../find-image.ts'
import { baseOf, isTextName } from '../folder-names.ts'
import { readTexts } from '../read-texts.ts'
import type { Boxed, BoxedItem, Folder } from '../shapes.ts'
import type { Wanted } from './outlines.ts'
import { setAside } from './set-aside.ts'
import { readVoc, type VocObject } from './voc-reader.ts'

type Told = Omit<BoxedItem, 'boxes'> & { objects: VocObject[] }

/** Null when no XML file is called like an image. */
export async function vocBoxes(
  folder: Folder,
  images: readonly string[],
  { withOutlines = false }: Wanted = {},
): Promise<Boxed | null> {
  const texts = folder.paths.filter((path) => isTextName(path, ['xml']))
  const find = imageFinder(images).among(texts)
  if (!texts.some((path) => find(bareOfText(path)) !== null)) return null
  const problems: Problem[] = []
  const told = new Map<string, Told>()
  const named = new Set<string>()
  const spoilt = new Set<string>()
  for await (const { path, text } of readTexts(folder, texts, limits.textBytes)) {
    const read = text === null ? { line: 0 } : readVoc(text)
    if ('line' in read) {
      problems.push({ path, reason: 'annotation_unreadable', params: { line: read.line } })
      named.add(find(bareOfText(path)) ?? '')
      continue
    }
    // The file's own name first: what stands inside is often that of an earlier copy.
    const image = find(bareOfText(path)) ?? find(read.fileName)
    const params = { name: read.fileName || baseOf(bareOfText(path)), line: 0 }
    if (image === null) problems.push({ path, reason: lackOf(bareOfText(path), find), params })
    else if (told.has(image)) {
      problems.push({ path, reason: 'duplicate_entry', params })
      if (JSON.stringify(told.get(image)?.objects) !== JSON.stringify(read.objects)) spoilt.add(image)
    } else
      told.set(image, {
        path: image,
        source: path,
        part: null,
        size: read.size,
        unit: 'pixels',
        objects: read.objects,
      })
  }
  setAside({ items: told, problems, spoilt })
  const items = [...told.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  const classes = classesOf(items)
  return {
    layout: 'voc',
    task: 'detection',
    classes,
    items: toBoxes(items, classes, withOutlines),
    problems,
    unlabelled: images.filter((path) => !told.has(path) && !named.has(path) && !spoilt.has(path)),
  }
}

const bareOfText = (path: string): string => path.replace(/\.[^./]*$/, '')

const classesOf = (items: Told[]): string[] =>
  [...new Set(items.flatMap(({ objects }) => objects.map(({ name }) => name)))].sort(inNaturalOrder)

/** VOC counts pixels from 1 and includes the last; programs that only borrow the form count from 0, which then occurs. */
function toBoxes(items: Told[], classes: string[], withOutlines: boolean): BoxedItem[] {
  const indexes = new Map(classes.map((name, index) => [name, index]))
  const all = items.flatMap(({ objects }) => objects).filter(({ isExact }) => !isExact)
  const first = all.some(({ x0, y0 }) => x0 < 1 || y0 < 1) ? 0 : 1
  return items.map(({ objects, ...item }) => ({
    ...item,
    boxes: objects.map(({ name, x0, y0, x1, y1, isExact, border }, index) => {
      const isEmpty = x1 <= x0 || y1 <= y0
      const shift = isEmpty || isExact ? 0 : first
      const outline = withOutlines && border ? { outline: { polygons: [[border] as const] } } : {}
      const box = { class: indexes.get(name) ?? 0, x0: x0 - shift, y0: y0 - shift, x1, y1 }
      return { ...box, number: index + 1, ...outline }
    }),
  }))
}
