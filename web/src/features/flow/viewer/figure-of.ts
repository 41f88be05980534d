/** From a picture and what was chosen to what is drawn: bars, letters, cursor and outlines. */
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import type { TFunction } from 'i18next'
import { formatNumber } from '../../../lib/format.ts'
import type { Choice } from './choice.ts'
import type { Bar } from './draw/bars.ts'
import { type Figure, mapColours } from './draw/figure.ts'
import { INK } from './draw/ink.ts'
import type { Marks } from './draw/marks.ts'
import { ticksOf } from './draw/shapes.ts'
import type { Facts, Picture } from './numbers/asks.ts'
import { type Sight, sightOf } from './numbers/sight.ts'
import type { Cut } from './sections/use-sections.ts'
import type { Source } from './source.ts'
import { millisecondsAt } from './words.ts'

type Given = {
  facts: Facts
  choice: Choice
  picture: Picture
  cuts: readonly Cut[]
  chosen: number | null
  begun: { column: number; row: number } | null
  name: string
  /** What is seen instead of the study. */
  beforeIs?: Source['beforeIs']
  t: TFunction<'flow-view'>
}

export function figureOf(given: Given): Omit<Figure, 'width' | 'height'> {
  const { facts, choice, picture, name, t } = given
  const { head } = facts
  const { settings } = choice.drawn
  const foot = [
    name,
    ...(picture.isBefore && !isInterpolated(given) ? [t('foot.before')] : []),
    t(`plane.${picture.plane}`),
    sliceText(given),
    ...(head.frames > 1 ? [t('foot.time', { time: formatNumber(millisecondsAt(head, picture.frame)) })] : []),
    // Kept where a narrow picture has room for the end alone.
    ...learnedText(given),
    t('foot.research'),
  ]
  return {
    picture,
    view: choice.view,
    look: {
      hasMagnitude: choice.hasMagnitude,
      hasArrows: choice.hasArrows,
      colours: choice.colours === 'vortex' && !picture.vortex ? 'none' : choice.colours,
      window: [choice.window[0] * facts.brightest, choice.window[1] * facts.brightest],
      settings,
    },
    bars: barsOf(given),
    foot,
    marks: marksOf(given),
  }
}

const isInterpolated = ({ picture, beforeIs }: Given): boolean =>
  picture.isBefore && beforeIs === 'interpolated'

/** Interpolated, or made finer by a network: pictures leave the page that tells so. */
function learnedText(given: Given): string[] {
  const { facts, t } = given
  if (isInterpolated(given)) return [t('foot.interpolated')]
  const { sharpened } = facts.head
  return sharpened ? [t('foot.learned', { factor: sharpened.factor })] : []
}

/** Which slice of how many, or how the plane is turned. */
function sliceText({ facts: { head }, picture, t }: Given): string {
  const { angles, slice } = picture
  if (angles === null) return t('foot.slice', { slice: slice + 1, count: sightOf(head, picture).slices })
  return t('foot.angles', { turn: formatNumber(angles.turn, 1), tilt: formatNumber(angles.tilt, 1) })
}

function barsOf({ facts: { head }, choice, picture, t }: Given): Bar[] {
  const format = (value: number) => formatNumber(value, 2)
  const speed: Bar = {
    map: 'speed',
    title: t('bar.speed'),
    unit: t('unit.cms'),
    from: 0,
    to: 100 * picture.reference,
    format,
  }
  const bars: Bar[] = []
  if (choice.colours === 'speed') bars.push(speed)
  if (choice.colours === 'through') {
    const { letters } = sightOf(head, picture)
    const ends = { high: letters.away, low: letters.towards }
    const top = 100 * picture.reference
    bars.push({
      map: 'vorticity',
      title: t('bar.through'),
      unit: t('unit.cms'),
      from: -top,
      to: top,
      format,
      ends,
    })
  }
  if (choice.colours === 'vortex' && picture.vortex) {
    const { top } = picture.vortex
    const ends = { high: '↻', low: '↺' }
    bars.push({
      map: 'vorticity',
      title: t('bar.vorticity'),
      unit: t('unit.perSecond'),
      from: -top,
      to: top,
      format,
      ends,
    })
  }
  if (picture.map && picture.map.name === choice.colours) {
    const { name, top } = picture.map
    const map = mapColours[name]
    const unit = t(name === 'energy' ? 'unit.energy' : 'unit.perSecondSquare')
    bars.push({ map, title: t(`bar.${name}`), unit, from: map === 'speed' ? 0 : -top, to: top, format })
  }
  const isBySpeed = choice.hasArrows && choice.drawn.settings.arrowColor === 'speed'
  if (isBySpeed && choice.colours !== 'speed') bars.push({ ...speed, title: t('bar.arrows') })
  return bars.filter(({ from, to }) => to > from)
}

function marksOf({ facts: { head }, choice, picture, cuts, chosen, begun, t }: Given): Marks {
  const sight = sightOf(head, picture)
  const { right, left, bottom, top } = sight.letters
  const outlined = { head, sight, slice: picture.slice }
  return {
    letters: { right, left, bottom, top },
    cursor: choice.hasCursor ? sight.toShown(choice.place) : null,
    begun,
    outlines: cuts.flatMap((cut) => outlineOf({ ...outlined, cut, isChosen: cut.number === chosen })),
    arrow: arrowOf({ choice, picture, t }),
  }
}

/** Half a slice: a plane that comes no nearer is not seen in this one. */
const NEAR = 0.51

type Outlined = { head: FlowStudy; sight: Sight; slice: number; cut: Cut; isChosen: boolean }

function outlineOf({ head, sight, slice, cut, isChosen }: Outlined): Marks['outlines'] {
  if (cut.flow === null) return []
  const points = cut.flow.outline.map(sight.toShown)
  if (!points.some((point) => Math.abs(point.slice - slice) < NEAR)) return []
  const [x, y, z] = cut.plane.centre.map((metres, axis) => (1000 * metres) / (head.spacing[axis] ?? 1))
  const from = sight.toShown([x ?? 0, y ?? 0, z ?? 0])
  const reach = Math.sqrt(cut.flow.area) * 1000 * (cut.isTurned ? -1 : 1)
  const [tx, ty, tz] = cut.plane.normal.map(
    (part, axis) => ([x, y, z][axis] ?? 0) + (part * reach) / (head.spacing[axis] ?? 1),
  )
  const to = sight.toShown([tx ?? 0, ty ?? 0, tz ?? 0])
  const isAcross = Math.hypot(to.column - from.column, to.row - from.row) > 1
  return [{ name: String(cut.number), points, isChosen, forward: isAcross ? { from, to } : null }]
}

/** Of a round speed near v_ref. */
function arrowOf({ choice, picture, t }: Pick<Given, 'choice' | 'picture' | 't'>): Marks['arrow'] {
  if (!choice.hasArrows || !(picture.reference > 0)) return null
  const { settings } = choice.drawn
  const top = 100 * picture.reference
  const speed = ticksOf(0, top, 3).findLast((tick) => tick > 0)
  if (speed === undefined) return null
  const [hx, hy] = picture.spacing
  // As arrows are drawn: 0.9 of the pitch at v_ref, at most three pitches.
  const pitches = Math.min(3, settings.arrowScaling * 0.9 * (speed / top))
  return {
    length: (pitches * settings.spacingBetweenArrows * Math.min(hx, hy)) / hx,
    width: settings.arrowWidth,
    colour: settings.arrowColor === 'speed' ? INK : settings.arrowColor,
    words: t('bar.arrow', { speed: formatNumber(speed, 2) }),
  }
}
