/** Writes a known flow as Philips' PAR/REC: a header and numbers for each direction, magnitude and velocity in each. */
import type { MadeFile } from './flow-dicom.ts'
import { type FlowField, normalOf, placeOf, planeOf } from './flow-field.ts'

type Triple = [number, number, number]

const names = ['RL', 'AP', 'FH'] as const
const axes: Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export const parFiles = (field: FlowField): MadeFile[] =>
  names.flatMap((name, at) => {
    const venc = field.venc * 100
    const scales = [
      { kind: 0, slope: 1, intercept: 0, direction: null },
      { kind: 3, slope: (2 * venc) / 4095, intercept: -venc, direction: axes[at] ?? [0, 0, 0] },
    ]
    const lines: string[] = []
    const planes: Buffer[] = []
    for (const { kind, slope, intercept, direction } of scales) {
      for (let time = 0; time < field.frames; time += 1) {
        for (let slice = 0; slice < field.size[2]; slice += 1) {
          lines.push(lineOf(field, { slice, time, kind, slope, intercept, index: planes.length }))
          const seen = planeOf(field, slice, time, direction)
          const stored = Uint16Array.from(seen, (one) =>
            Math.round(((direction ? 100 : 1) * one - intercept) / slope),
          )
          planes.push(Buffer.from(stored.buffer))
        }
      }
    }
    const header = [...headOf(venc, at, name), ...lines, '', '# === END OF DATA DESCRIPTION FILE ==='].join(
      '\r\n',
    )
    return [
      { name: `flow_${name}.PAR`, bytes: Buffer.from(header, 'latin1') },
      { name: `flow_${name}.REC`, bytes: Buffer.concat(planes) },
    ]
  })

/** The columns that are needed, under the names that version 4.2 gives them. */
const columns = `slice number                             (integer)
echo number                              (integer)
dynamic scan number                      (integer)
cardiac phase number                     (integer)
image_type_mr                            (integer)
scanning sequence                        (integer)
index in REC file (in images)            (integer)
image pixel size (in bits)               (integer)
scan percentage                          (integer)
recon resolution (x,y)                   (2*integer)
rescale intercept                        (float)
rescale slope                            (float)
scale slope                              (float)
image angulation (ap,fh,rl in degrees )  (3*float)
image offcentre (ap,fh,rl in mm )        (3*float)
slice thickness (in mm )                 (float)
slice gap (in mm )                       (float)
slice orientation ( TRA/SAG/COR )        (integer)
pixel spacing (x,y) (in mm)              (2*float)
trigger_time                             (float)
cardiac frequency (bpm)                  (integer)`

function headOf(venc: number, at: number, name: string): string[] {
  const encoded = axes[at]?.map((part) => (part * venc).toFixed(2)).join('  ')
  return [
    '# === DATA DESCRIPTION FILE ======================================================',
    '# CLINICAL TRYOUT             Research image export tool     V4.2',
    '.    Patient name                       :   Synthetic',
    `.    Protocol name                      :   4D_${name}`,
    `.    Phase encoding velocity [cm/sec]   :   ${encoded}`,
    '# === IMAGE INFORMATION DEFINITION =============================================',
    '#  The rest of this file contains ONE line per image, this line contains the following information:',
    ...columns.split('\n').map((line) => `#  ${line}`),
    '# === IMAGE INFORMATION ==========================================================',
    '',
  ]
}

type Line = { slice: number; time: number; kind: number; slope: number; intercept: number; index: number }

function lineOf(field: FlowField, { slice, time, kind, slope, intercept, index }: Line): string {
  const [x, y] = field.size
  const [l = 0, p = 0, h = 0] = placeOf(field, [(x - 1) / 2, (y - 1) / 2, slice])
  const numbers = (values: number[]): string => values.map((one) => one.toFixed(7)).join(' ')
  return [
    `${slice + 1} 1 1 ${time + 1} ${kind} 0 ${index} 16 100 ${x} ${y}`,
    numbers([intercept, slope, 1, ...anglesOf(field), p, h, l, field.spacing[2] - 0.4, 0.4]),
    `1 ${numbers([field.spacing[0], field.spacing[1], (field.times[time] ?? 0) * 1000])} ${Math.round(60 / field.period)}`,
  ].join(' ')
}

/** About AP, FH and RL in degrees: the turn RL·AP·FH that takes a transverse plane to this one. */
function anglesOf(field: FlowField): number[] {
  const [row, column] = field.directions
  // Rows of a transverse plane lead to the left (RL), columns to the back (AP), slices to the head (FH).
  const [, , apToRl] = inPhilips(column)
  const [fhToAp, fhToFh, fhToRl] = inPhilips(normalOf(field))
  const [, , rlToRl] = inPhilips(row)
  const ap = Math.asin(fhToRl)
  const fh = Math.atan2(-apToRl / Math.cos(ap), rlToRl / Math.cos(ap))
  const rl = Math.atan2(-fhToAp / Math.cos(ap), fhToFh / Math.cos(ap))
  return [ap, fh, rl].map((radians) => (radians * 180) / Math.PI)
}

const inPhilips = ([l, p, h]: Triple): Triple => [p, h, l]
