/** Which mask is of which picture, where a table beside them lists both: it counts before names that say otherwise. */
import { imageFinder } from '../find-image.ts'
import type { Folder, Pair, Pairs } from '../shapes.ts'
import { columnsOf } from '../table-columns.ts'
import { labelTablesOf, type Sheet, sheetsOf } from '../table-sheets.ts'
import { isLabelToken, tokensOf } from './words.ts'

/** As it was where no table gives a mask to another picture than names do. */
export async function withTablePairs(found: Pairs, folder: Folder): Promise<Pairs> {
  const images = [...found.pairs.map(({ image }) => image), ...found.imagesAlone]
  const labels = [...found.pairs.flatMap(masksOf), ...found.labelsAlone]
  const finders = { image: imageFinder(images), label: imageFinder(labels) }
  const owners = new Map(found.pairs.flatMap((pair) => masksOf(pair).map((mask) => [mask, pair.image])))
  for await (const sheet of sheetsOf(folder, labelTablesOf(folder.paths, images), [])) {
    const listed = listedIn(sheet, finders)
    const isOther = [...listed].some(([image, masks]) =>
      masks.some((mask) => (owners.get(mask) ?? image) !== image),
    )
    if (isOther) return paired(found, listed, { images, labels })
  }
  return found
}

const masksOf = ({ label, mix }: Pair): string[] => mix?.paths ?? [label]

type Finders = { image: (name: string) => string | null; label: (name: string) => string | null }

/** Of each picture the masks that its rows name. */
function listedIn({ rows: [head, ...rows] }: Sheet, { image, label }: Finders): Map<string, string[]> {
  const listed = new Map<string, string[]>()
  const names = head?.cells ?? []
  const own = columnsOf(names)?.image
  const masks = names.findIndex((name, at) => at !== own && tokensOf(name).some(isLabelToken))
  if (own === undefined || masks < 0) return listed
  for (const { cells } of rows) {
    const [picture, mask] = [image(cells[own] ?? ''), label(cells[masks] ?? '')]
    if (picture === null || mask === null) continue
    listed.set(picture, [...new Set([...(listed.get(picture) ?? []), mask])])
  }
  return listed
}

type Sides = { images: readonly string[]; labels: readonly string[] }

function paired(found: Pairs, listed: ReadonlyMap<string, string[]>, { images, labels }: Sides): Pairs {
  const used = new Set([...listed.values()].flat())
  const known = new Map(found.pairs.map((pair) => [pair.image, pair]))
  const pairs = [...listed].map(([image, masks]): Pair => {
    const { region, part } = known.get(image) ?? {}
    return {
      ...{ image, label: masks[0] ?? '' },
      ...(masks.length > 1 ? { mix: { how: 'any', paths: masks } as const } : {}),
      ...(region === undefined ? {} : { region }),
      ...(part === undefined ? {} : { part }),
    }
  })
  return {
    ...found,
    pairs: pairs.sort((one, other) => (one.image < other.image ? -1 : 1)),
    imagesAlone: images.filter((path) => !listed.has(path)),
    labelsAlone: labels.filter((path) => !used.has(path)),
  }
}
