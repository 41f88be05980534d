/** Pieces of XML that both of CVAT's forms share (https://docs.cvat.ai/docs/manual/advanced/xml_format/). */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { type Point, pairs } from '../geometry.ts'
import { type Crop, rowRuns } from '../rle.ts'
import { cropOfRings } from '../segments.ts'
import type { Size } from '../shapes.ts'
import { escapeXml } from '../xml.ts'

export const labelsXml = (classes: readonly LabelClass[]): string =>
  classes
    .filter(({ use }) => use !== 'background')
    .map(({ name, colour, skeleton }) => {
      const own = `<name>${escapeXml(name)}</name><color>${colour}</color>`
      if (!skeleton) return `<label>${own}<type>any</type><attributes></attributes></label>\n`
      const parts = skeleton.points.map(
        (point) =>
          `<label><name>${escapeXml(point)}</name><color>${colour}</color><type>points</type>` +
          `<attributes></attributes><parent>${escapeXml(name)}</parent></label>\n`,
      )
      const edges = skeleton.joins.map(
        ([from, to]) => `<line data-type="edge" data-node-from="${from + 1}" data-node-to="${to + 1}"/>`,
      )
      const svg = edges.length > 0 ? `<svg>${escapeXml(edges.join(''))}</svg>` : ''
      return `<label>${own}<type>skeleton</type><attributes></attributes>${svg}</label>\n${parts.join('')}`
    })
    .join('')

/** An element without its label: `before` holds what the form says of it, such as a frame. */
export function thingXml(
  thing: Thing,
  { before, size, skeleton }: { before: string; size: Size; skeleton: LabelClass['skeleton'] },
): string | null {
  const { shape, attributes } = thing
  const head = `${before} occluded="${attributes.occluded === true ? 1 : 0}"`
  const body = attributesXml(attributes)
  switch (shape.kind) {
    case 'box': {
      const { x, y, width, height, angle } = shape
      const turned = angle === 0 ? '' : ` rotation="${(angle + 360) % 360}"`
      const corners = `xtl="${x}" ytl="${y}" xbr="${x + width}" ybr="${y + height}"`
      return `<box ${head} ${corners}${turned} z_order="0">${body}</box>\n`
    }
    case 'outline': {
      const [ring = [], ...more] = shape.rings
      if (more.length === 0)
        return `<polygon ${head} points="${pointsOf(pairs(ring))}" z_order="0">${body}</polygon>\n`
      const crop = cropOfRings(shape.rings, size)
      return crop ? maskXml(crop, head, body) : null
    }
    case 'line':
      return `<polyline ${head} points="${pointsOf(pairs(shape.points))}" z_order="0">${body}</polyline>\n`
    case 'points': {
      const isPlain = !skeleton && shape.seen.every((seen) => seen === 2)
      const points = pairs(shape.points)
      if (isPlain) return `<points ${head} points="${pointsOf(points)}" z_order="0">${body}</points>\n`
      const parts = points.map((point, index) => {
        const [name, seen] = [skeleton?.points[index] ?? String(index + 1), shape.seen[index] ?? 0]
        const shown = `outside="${seen === 0 ? 1 : 0}" occluded="${seen === 1 ? 1 : 0}"`
        return `<points label="${escapeXml(name)}" ${shown} points="${pointsOf([point])}"></points>\n`
      })
      return `<skeleton ${head} z_order="0">\n${parts.join('')}${body}</skeleton>\n`
    }
  }
}

export function maskXml(crop: Crop, head: string, body = ''): string {
  const place = `left="${crop.x}" top="${crop.y}" width="${crop.width}" height="${crop.height}"`
  return `<mask ${head} rle="${rowRuns(crop).join(', ')}" ${place} z_order="0">${body}</mask>\n`
}

const attributesXml = (attributes: Thing['attributes']): string =>
  Object.entries(attributes)
    .filter(([name]) => name !== 'occluded')
    .map(([name, value]) => `<attribute name="${escapeXml(name)}">${escapeXml(String(value))}</attribute>`)
    .join('')

const pointsOf = (points: readonly Point[]): string => points.map(([x, y]) => `${x},${y}`).join(';')
