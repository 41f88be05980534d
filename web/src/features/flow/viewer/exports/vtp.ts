/** Lines as VTK's poly-data, in mm as images are. Pure. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { VtkArray } from './vtk-xml.ts'
import { makeAppended } from './vtk-xml.ts'

/** `speeds`: m/s at each point of each line. */
export type Lines = { lines: readonly (readonly Three[])[]; speeds: readonly (readonly number[])[] }

export function vtpOf({ lines, speeds }: Lines, about: string): Uint8Array<ArrayBuffer> {
  const { element, file } = makeAppended()
  const points: VtkArray = { name: 'Points', parts: 3, values: Float32Array.from(lines.flat(2)) }
  const speed: VtkArray = { name: 'speed_m_per_s', parts: 1, values: Float32Array.from(speeds.flat()) }
  const count = points.values.length / 3
  let end = 0
  const ends = Int32Array.from(lines, (line) => {
    end += line.length
    return end
  })
  const order = Int32Array.from({ length: count }, (_, point) => point)
  return file(
    'PolyData',
    `<PolyData>\n<Piece NumberOfPoints="${count}" NumberOfVerts="0" NumberOfLines="${lines.length}" NumberOfStrips="0" NumberOfPolys="0">\n` +
      `<PointData Scalars="speed_m_per_s">${element(speed)}</PointData>\n<Points>${element(points)}</Points>\n` +
      `<Lines>${element({ name: 'connectivity', parts: 1, values: order })}${element({ name: 'offsets', parts: 1, values: ends })}</Lines>\n` +
      '</Piece>\n</PolyData>',
    about,
  )
}
