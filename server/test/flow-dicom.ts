/** Writes a known flow as DICOM files, the way four makers do, classic and enhanced. Identifiers are numbers, nobody is named. */
import { dicomBytes, type Entry, sequence } from '../src/infra/reader/dicom/bytes.ts'
import { EXPLICIT } from '../src/infra/reader/dicom/file.ts'
import { type FlowField, normalOf, placeOf, planeOf } from './flow-field.ts'

type Triple = [number, number, number]
export type MadeFile = { name: string; bytes: Buffer }
export type Maker = 'siemens' | 'philips' | 'ge' | 'united_imaging'

type Series = {
  name: string
  number: number
  /** Of a positive velocity; null = the magnitude. */
  direction: Triple | null
  entries: Entry[]
  scale: Scale
}
/** Value = stored × slope + intercept, and what a VENC is in it. */
type Scale = { slope: number; intercept: number; full: number; isSigned: boolean; isWritten: boolean }

const plain: Scale = { slope: 1, intercept: 0, full: 1, isSigned: false, isWritten: false }
/** −VENC to VENC in 4096 steps, as Siemens writes it. */
const phase: Scale = { slope: 2, intercept: -4096, full: 4096, isSigned: false, isWritten: true }
const centimetres = ({ venc }: FlowField): Scale => {
  const full = venc * 100
  return { slope: (2 * full) / 4095, intercept: -full, full, isSigned: false, isWritten: true }
}
/** What each maker calls its series; directions and scales as it writes them. */
const seriesOf: Record<Maker, (field: FlowField) => Series[]> = {
  siemens: ({ venc }) => [
    magnitude('4D flow', 'M\\RETRO\\DIS3D', [['00180024', 'SH', '*fl3d1r4']]),
    ...inPatient.map(([name, direction], at) => ({
      ...{ name, direction, number: at + 2, scale: phase },
      entries: named('4D flow_P', 'P\\RETRO\\DIS3D', [
        ['00180024', 'SH', `*fl3d1r4_v${Math.round(venc * 100)}${name}`],
      ]),
    })),
  ],
  // Both in one series for each direction.
  philips: (field) =>
    inPatient.flatMap(([name, direction], at) => {
      const encoded = Buffer.alloc(12)
      encoded.writeFloatLE(field.venc * 100, at * 4)
      const more: Entry[] = [
        ['00181030', 'LO', `WIP 4D_${name.toUpperCase()}`],
        ['2001101a', 'FL', encoded],
      ]
      const part = { name: `${name}_p`, direction, number: at + 1, scale: centimetres(field) }
      return [
        { ...magnitude('4D flow', 'M_FFE\\M\\FFE', more), name: `${name}_m`, number: at + 1 },
        { ...part, entries: named('4D flow', 'PHASE MAP\\P\\PCA', more) },
      ]
    }),
  ge: ({ venc }) => [
    magnitude('4D Anatomy', 'OTHER'),
    ...opposed.map(([name, direction], at) => ({
      ...{ name, direction, number: at + 2, scale: { ...plain, full: venc * 1000, isSigned: true } },
      entries: named(`4D ${name} Flow`, 'OTHER', [['001910cc', 'SS', Math.round(venc * 1000)]]),
    })),
  ],
  // Along the axes of the scan.
  united_imaging: (field) => {
    const [row, column] = field.directions
    const axes: [string, Triple][] = [
      ['RO', row],
      ['PE', column],
      ['SS', normalOf(field)],
    ]
    const fq: Entry[] = [
      ['00180024', 'SH', 'gre_fq_4d'],
      ['00181312', 'CS', 'COL'],
    ]
    return [
      magnitude('4D flow mag', 'M', fq),
      ...axes.map(([name, direction], at) => ({
        ...{ name, direction, number: at + 2, scale: centimetres(field) },
        entries: named(`4D flow VENC${Math.round(field.venc * 100)} ${name}`, 'P', fq),
      })),
    ]
  },
}

const inPatient: [string, Triple][] = [
  ['rl', [1, 0, 0]],
  ['ap', [0, 1, 0]],
  ['fh', [0, 0, 1]],
]
const opposed: [string, Triple][] = [
  ['LR', [-1, 0, 0]],
  ['AP', [0, 1, 0]],
  ['SI', [0, 0, -1]],
]

const named = (name: string, type: string, more: Entry[] = []): Entry[] => [
  ['0008103e', 'LO', name],
  ['00080008', 'CS', `ORIGINAL\\PRIMARY\\${type}`],
  ...more,
]

const magnitude = (name: string, type: string, more: Entry[] = []): Series => ({
  ...{ name: 'mag', number: 1, direction: null, scale: plain },
  entries: named(name, type, more),
})

const makers: Record<Maker, string> = {
  siemens: 'SIEMENS',
  philips: 'Philips Medical Systems',
  ge: 'GE MEDICAL SYSTEMS',
  united_imaging: 'UIH',
}

/** One file a plane. `without`: elements that somebody took away. */
export function classicFiles(field: FlowField, maker: Maker, without: readonly string[] = []): MadeFile[] {
  const files: MadeFile[] = []
  for (const series of seriesOf[maker](field)) {
    for (let time = 0; time < field.frames; time += 1) {
      for (let slice = 0; slice < field.size[2]; slice += 1) {
        const number = time * field.size[2] + slice + 1
        const { scale } = series
        const entries: Entry[] = [
          ...common(field, {
            maker,
            number,
            series: series.number,
            serial: series.number * 100_000 + number + (series.direction ? 0 : 50_000),
          }),
          ...series.entries,
          ['00181060', 'DS', digits((field.times[time] ?? 0) * 1000)],
          ['00181062', 'IS', String(Math.round(field.period * 1000))],
          ['00200032', 'DS', placeOf(field, [0, 0, slice]).map(digits).join('\\')],
          ['00200037', 'DS', field.directions.flat().map(digits).join('\\')],
          ['00280030', 'DS', `${field.spacing[1]}\\${field.spacing[0]}`],
          ['00180050', 'DS', String(field.spacing[2])],
          ...(scale.isWritten ? scaleEntries(scale) : []),
          ...pixels(scale, [storedOf(field, planeOf(field, slice, time, series.direction), series)]),
        ]
        const kept = entries.filter(([tag]) => !without.includes(tag))
        files.push({
          name: `${maker}/${series.name}/${String(number).padStart(5, '0')}.dcm`,
          bytes: Buffer.concat(dicomBytes(EXPLICIT, kept)),
        })
      }
    }
  }
  return files
}

/** At most 16 signs, as texts of numbers in DICOM may have. */
const digits = (value: number): string => {
  const text = String(Number(value.toPrecision(10)))
  return text.length <= 16 ? text : value.toFixed(10)
}

type Numbers = { maker: Maker; number: number; series: number; serial: number; isEnhanced?: boolean }

const common = (
  { size }: FlowField,
  { maker, number, series, serial, isEnhanced = false }: Numbers,
): Entry[] => [
  ['00080016', 'UI', `1.2.840.10008.5.1.4.1.1.4${isEnhanced ? '.1' : ''}`],
  ['00080018', 'UI', `2.25.7000.${serial}`],
  ['00080060', 'CS', 'MR'],
  ['00080070', 'LO', makers[maker]],
  ['00100010', 'PN', 'Synthetic'],
  ['00100020', 'LO', 'SYNTHETIC-FLOW'],
  ['0020000d', 'UI', '2.25.7001'],
  ['0020000e', 'UI', `2.25.7002.${series}`],
  ['00200011', 'IS', String(series)],
  ['00200013', 'IS', String(number)],
  ['00200052', 'UI', '2.25.7003'],
  ['00280002', 'US', 1],
  ['00280004', 'CS', 'MONOCHROME2'],
  ['00280010', 'US', size[1]],
  ['00280011', 'US', size[0]],
]

const scaleEntries = ({ slope, intercept }: Scale): Entry[] => [
  ['00281052', 'DS', digits(intercept)],
  ['00281053', 'DS', digits(slope)],
]

function storedOf(
  { venc }: FlowField,
  plane: Float64Array,
  { direction, scale }: Pick<Series, 'direction' | 'scale'>,
): Int16Array {
  const { slope, intercept, full, isSigned } = scale
  return Int16Array.from(plane, (value) => {
    const shown = direction ? (value / venc) * full : value
    const stored = Math.round((shown - intercept) / slope)
    return isSigned ? stored : Math.max(0, Math.min(4095, stored))
  })
}

const pixels = ({ isSigned }: Scale, planes: Int16Array[]): Entry[] => [
  ['00280100', 'US', 16],
  ['00280101', 'US', isSigned ? 16 : 12],
  ['00280102', 'US', isSigned ? 15 : 11],
  ['00280103', 'US', isSigned ? 1 : 0],
  [
    '7fe00010',
    'OW',
    Buffer.concat(planes.map((plane) => Buffer.from(plane.buffer, plane.byteOffset, plane.byteLength))),
  ],
]

/** Siemens: a file for each direction, along the axes of the grid. Philips: all in one file, along the patient's. */
export function enhancedFiles(field: FlowField, maker: 'siemens' | 'philips'): MadeFile[] {
  const [row, column] = field.directions
  const axes = maker === 'siemens' ? [row, column, normalOf(field)] : inPatient.map(([, axis]) => axis)
  const parts = [null, ...axes]
  if (maker === 'philips')
    return [{ name: 'enhanced/all.dcm', bytes: enhancedFile(field, { maker, parts, number: 1 }) }]
  return parts.map((part, at) => ({
    name: `enhanced/${at}.dcm`,
    bytes: enhancedFile(field, { maker, parts: [part], number: at + 1 }),
  }))
}

type Enhanced = { maker: 'siemens' | 'philips'; parts: (Triple | null)[]; number: number }

function enhancedFile(field: FlowField, { maker, parts, number }: Enhanced): Buffer {
  const groups: Entry[][] = []
  const planes: Int16Array[] = []
  const scaleOf = (part: Triple | null): Scale => {
    if (!part) return plain
    return maker === 'siemens' ? phase : centimetres(field)
  }
  for (const part of parts) {
    for (let slice = 0; slice < field.size[2]; slice += 1) {
      for (let time = 0; time < field.frames; time += 1) {
        const scale = scaleOf(part)
        groups.push(frameEntries(field, { part, slice, time, scale }))
        planes.push(storedOf(field, planeOf(field, slice, time, part), { direction: part, scale }))
      }
    }
  }
  const type = parts[0]
    ? 'ORIGINAL\\PRIMARY\\VELOCITY\\NONE'
    : `ORIGINAL\\PRIMARY\\${maker === 'siemens' ? 'T1' : 'FLOW_ENCODED'}\\NONE`
  const shared: Entry[] = [
    [
      '00289110',
      'SQ',
      sequence([
        ['00280030', 'DS', `${field.spacing[1]}\\${field.spacing[0]}`],
        ['00180050', 'DS', String(field.spacing[2])],
      ]),
    ],
    ['00209116', 'SQ', sequence([['00200037', 'DS', field.directions.flat().map(digits).join('\\')]])],
  ]
  const entries: Entry[] = [
    ...common(field, { maker, number: 1, series: number, serial: number, isEnhanced: true }),
    ['00080008', 'CS', type],
    ['0008103e', 'LO', '4D flow'],
    ['00189037', 'CS', 'RETROSPECTIVE'],
    ['00280008', 'IS', String(planes.length)],
    ['52009229', 'SQ', sequence(shared)],
    ['52009230', 'SQ', sequence(...groups)],
    ...pixels(plain, planes),
  ]
  return Buffer.concat(dicomBytes(EXPLICIT, entries))
}

type Frame = { part: Triple | null; slice: number; time: number; scale: Scale }

function frameEntries(field: FlowField, { part, slice, time, scale }: Frame): Entry[] {
  const venc = field.venc * 100
  return [
    [
      '00189118',
      'SQ',
      sequence([
        ['00209153', 'FD', (field.times[time] ?? 0) * 1000],
        ['00209251', 'FD', field.period * 1000],
      ]),
    ],
    [
      '00209111',
      'SQ',
      sequence([
        ['00209128', 'UL', time + 1],
        ['00209057', 'UL', slice + 1],
      ]),
    ],
    ['00209113', 'SQ', sequence([['00200032', 'DS', placeOf(field, [0, 0, slice]).map(digits).join('\\')]])],
    [
      '00189226',
      'SQ',
      sequence([
        [
          '00089007',
          'CS',
          part ? 'ORIGINAL\\PRIMARY\\VELOCITY\\NONE' : 'ORIGINAL\\PRIMARY\\FLOW_ENCODED\\NONE',
        ],
        ['00089208', 'CS', part ? 'PHASE' : 'MAGNITUDE'],
      ]),
    ],
    ['00289145', 'SQ', sequence(scaleEntries(scale))],
    ...(part
      ? [
          [
            '00189197',
            'SQ',
            sequence([
              ['00189090', 'FD', part],
              ['00189091', 'FD', -venc],
              ['00189217', 'FD', venc],
            ]),
          ] satisfies Entry,
        ]
      : []),
  ]
}
