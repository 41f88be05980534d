/** Measurements as a table that spreadsheets and programs read: English column names, full precision. Pure. */
import type { Mark } from './marks.ts'
import type { Measured } from './measured.ts'

export type Row = { mark: Mark; name: string; measured: Measured }

export function csvOf(rows: readonly Row[], unit: string): string {
  const lines = rows.map(({ mark, name, measured }) => {
    const { isMillimetres, length, resolution, degrees, area, values, value } = measured
    const step = isMillimetres ? 'mm' : 'px'
    return [
      name,
      mark.kind,
      mark.plane,
      mark.slice + 1,
      mark.frame + 1,
      length,
      resolution,
      length === null ? '' : step,
      degrees,
      area,
      area === null ? '' : isMillimetres ? 'mm2' : 'px2',
      ...(values
        ? [values.mean, values.deviation, values.min, values.max, values.count]
        : ['', '', '', '', '']),
      value,
      values || value !== null ? unit : '',
      mark.points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join('; '),
    ]
  })
  return [columns, ...lines].map((cells) => cells.map(cell).join(',')).join('\r\n')
}

const columns = [
  ...['name', 'kind', 'plane', 'slice', 'frame', 'length', 'resolution', 'length_unit', 'angle_degrees'],
  ...['area', 'area_unit', 'mean', 'deviation', 'min', 'max', 'pixels', 'value', 'value_unit', 'points_px'],
]

function cell(content: string | number | null): string {
  if (content === null) return ''
  if (typeof content === 'number') return String(rounded(content))
  // A name that begins like a formula must not become one.
  const safe = /^[=+\-@\t\r]/.test(content) ? `'${content}` : content
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const rounded = (value: number): number => Number(value.toPrecision(7))
