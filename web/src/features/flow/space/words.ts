/** What the 3D view says of its lines, and what stands around the picture. */
import type { TFunction } from 'i18next'
import { formatNumber } from '../../../lib/format.ts'
import type { Seen } from '../viewer/exports/origin.ts'
import { centimetres } from '../viewer/words.ts'
import type { Shown } from './draw/view.ts'
import { countOf } from './numbers/pack.ts'
import type { SpacePaths } from './numbers/paths.ts'
import type { SpaceLines } from './numbers/streams.ts'

export type T = TFunction<['flow-space', 'flow-view']>

export const linesText = (t: T, lines: SpaceLines): string =>
  t('about', {
    lines: formatNumber(countOf(lines)),
    mean: centimetres(lines.mean),
    fastest: centimetres(lines.fastest),
  })

export const pathsText = (t: T, paths: SpacePaths): string =>
  [
    t('aboutPaths', {
      lines: formatNumber(countOf(paths)),
      lost: formatNumber(paths.lost),
      mean: centimetres(paths.mean),
      fastest: centimetres(paths.fastest),
    }),
    ...(paths.refused > 0 ? [t('refused', { refused: formatNumber(paths.refused) })] : []),
  ].join(' ')

type Given = {
  seen: Seen
  t: T
  lines: SpaceLines | null
  moment: Shown['moment']
  /** In words; null of one moment. */
  time: string | null
}

export function shownOf({ seen: { facts, choice, source }, t, lines, moment, time }: Given): Shown {
  const reference = lines?.reference ?? 0
  const { sharpened } = facts.head
  return {
    ...{ head: facts.head, lines, lineWidth: choice.drawn.settings.lineWidth, reference, moment },
    bar: {
      ...{ map: 'speed', title: t('flow-view:bar.speed'), unit: t('flow-view:unit.cms') },
      ...{ from: 0, to: 100 * reference, format: (value) => formatNumber(value, 2) },
    },
    foot: [
      source.name,
      ...(time === null ? [] : [time]),
      ...(sharpened ? [t('flow-view:foot.learned', { factor: sharpened.factor })] : []),
      t('flow-view:foot.research'),
    ],
  }
}
