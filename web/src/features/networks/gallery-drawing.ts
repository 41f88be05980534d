import type { Library } from '@neuroloom/contract/network/library'
import { type Picture, structurePicture } from '@neuroloom/contract/network/picture/picture'
import { instantiate, type PresetSize, type Template } from '@neuroloom/contract/network/templates'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadLibrary } from './library.ts'

export interface Drawn {
  size: PresetSize
  picture: Picture
}

/** A template drawn in both sizes, with the words of the page's language: when first wanted, then kept. */
export function useDrawings(template: Template, isWanted: boolean): UseQueryResult<Drawn[]> {
  const { t, i18n } = useTranslation(['templates', 'layers'])
  const words = {
    title: t(`template.${template.id}.title`),
    layer: (key: string) => t(`layers:${key}`, { defaultValue: '' }),
    block: (name: string) => t(`block.${name}`, { defaultValue: '' }),
  }
  return useQuery({
    queryKey: ['template-drawing', template.id, i18n.language],
    queryFn: async () => {
      const library = await loadLibrary()
      await turn()
      return [draw(template, 'small', library, words), draw(template, 'full', library, words)]
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

interface Words {
  title: string
  layer: (key: string) => string
  block: (name: string) => string
}

function draw(template: Template, size: PresetSize, library: Library, words: Words): Drawn {
  const document = library.networks.get(template.id)
  if (document === undefined) throw new Error(`no network ${template.id}`)
  // What differs from the paper stands below in the page's language.
  const source = document.source?.replace(/ \([^()]*\)$/, '')
  const titled = { ...instantiate(document, template[size], words.block), title: words.title, source }
  const picture = structurePicture(titled, { vocabulary: library, titles: words.layer })
  return { size, picture }
}

let last: Promise<void> = Promise.resolve()

/** Drawings wait for each other, so that the page answers in between. */
function turn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setTimeout(resolve)))
  return last
}

export const addressOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** Width to height of the small picture on a card. */
export const cardShape = 1.6
/** Of a tall network this share is shown: the rest is more of the same, and would make all of it too small. */
const shownShare = 0.46
/** Chains stand at one scale, in which their cards can still be told apart. */
const widestChain = 720

/** The network without title and foot, from its beginning, for a card. */
export function partOf({ svg, drawing }: Picture): string {
  const wished = Math.min(widestChain, shownShare * drawing.height * cardShape)
  const width = Math.max(drawing.width + 24, wished)
  const left = drawing.x + drawing.width / 2 - width / 2
  const view = [left, drawing.y - 14, width, width / cardShape].map((value) => Math.round(value)).join(' ')
  return svg.replace(/ width="\d+" height="\d+" viewBox="[^"]*"/, ` viewBox="${view}"`)
}
