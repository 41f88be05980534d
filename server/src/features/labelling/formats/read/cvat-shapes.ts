/** One shape of CVAT's XML as one of ours. */
import type { ExchangeProblem, ExchangeReason } from '@neuroloom/contract/labelling/exchange'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import type { Crop } from '../rle.ts'
import { fromRowRuns } from '../rle.ts'
import { attributesOf } from './coco.ts'

export type CvatShape = {
  tag: string
  own: Readonly<Record<string, string>>
  label: string
  attributes: Record<string, string>
  /** Of the points of a skeleton. */
  parts: Readonly<Record<string, string>>[]
  /** Of the attribute that is being read. */
  name: string
  at: ExchangeProblem['params']
}

type Read = ({ shape: Shape } | { mask: Crop | null }) & { attributes: Thing['attributes'] }

/** Or why it is none. */
export function shapeOf({ tag, own, parts, attributes: said }: CvatShape): Read | ExchangeReason {
  const attributes = attributesOf({
    ...Object.fromEntries(Object.entries(said).map(([name, value]) => [name, saidBy(value)])),
    ...(own.occluded === '1' ? { occluded: true } : {}),
  })
  const number = (key: string): number => Number(own[key] ?? Number.NaN)
  switch (tag) {
    case 'box': {
      const [x, y] = [number('xtl'), number('ytl')]
      const angle = Number(own.rotation ?? 0) % 360
      const shape = { kind: 'box' as const, x, y, width: number('xbr') - x, height: number('ybr') - y, angle }
      return { shape, attributes }
    }
    case 'polygon':
      return { shape: { kind: 'outline', rings: [flat(own.points)] }, attributes }
    case 'polyline':
      return { shape: { kind: 'line', points: flat(own.points) }, attributes }
    case 'points': {
      const points = flat(own.points)
      return {
        shape: { kind: 'points', points, seen: Array.from({ length: points.length >> 1 }, () => 2) },
        attributes,
      }
    }
    case 'skeleton':
      return { shape: skeletonShape(parts), attributes }
    case 'ellipse':
      return {
        shape: { kind: 'outline', rings: [ellipse(number('cx'), number('cy'), number('rx'), number('ry'))] },
        attributes,
      }
    case 'mask': {
      const runs = (own.rle ?? '').split(',').map(Number)
      const box = { x: number('left'), y: number('top'), width: number('width'), height: number('height') }
      const isBox = Object.values(box).every((side) => Number.isInteger(side) && side >= 0 && side <= 32_768)
      return { mask: isBox ? fromRowRuns(runs, box) : null, attributes }
    }
    default:
      return 'shape_unknown'
  }
}

/** Texts that are written like numbers or yes and no were those. */
function saidBy(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && String(Number(text)) === text ? Number(text) : text
}

const flat = (points = ''): number[] =>
  points.split(';').flatMap((point) => {
    const [x = Number.NaN, y = Number.NaN] = point.split(',').map(Number)
    return [x, y]
  })

function skeletonShape(parts: CvatShape['parts']): Shape {
  const points = parts.flatMap(({ points: said }) => flat(said).slice(0, 2))
  const seen = parts.map(({ outside, occluded }) => {
    if (outside === '1') return 0
    return occluded === '1' ? 1 : 2
  })
  return { kind: 'points', points, seen }
}

/** As a ring of 64 corners. */
const ellipse = (x: number, y: number, across: number, down: number): number[] =>
  Array.from({ length: 64 }, (_, index) => (index * Math.PI) / 32).flatMap((turn) => [
    x + across * Math.cos(turn),
    y + down * Math.sin(turn),
  ])
