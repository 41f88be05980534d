/** Places of slices in PAR files, as scanners wrote them: numbers of headers, and what others make of them. */
import { expect, it } from 'vitest'
import { cross, type Triple } from '../model.ts'
import { parImages } from './par.ts'
import { recognise } from './rules.ts'

const columns = [
  'slice number (integer)|echo number (integer)|dynamic scan number (integer)|cardiac phase number (integer)',
  'image_type_mr (integer)|scanning sequence (integer)|index in REC file (in images) (integer)',
  'image pixel size (in bits) (integer)|scan percentage (integer)|recon resolution (x,y) (2*integer)',
  'rescale intercept (float)|rescale slope (float)|scale slope (float)',
  'image angulation (ap,fh,rl in degrees ) (3*float)|image offcentre (ap,fh,rl in mm ) (3*float)',
  'slice thickness (in mm ) (float)|slice gap (in mm ) (float)|slice orientation ( TRA/SAG/COR ) (integer)',
  'pixel spacing (x,y) (in mm) (2*float)|trigger_time (float)',
]

const imagesOf = (...lines: string[]) =>
  parImages(
    [
      '# === IMAGE INFORMATION DEFINITION ===',
      ...columns.flatMap((part) => part.split('|').map((name) => `#  ${name}`)),
      '# === IMAGE INFORMATION ===',
      ...lines,
    ].join('\n'),
    0,
  )

it('of a sagittal scan of a patient, turned by 0.15° and −9.27°', () => {
  const line = (slice: number, middle: string): string =>
    `${slice} 1 1 1 3 0 ${slice - 1} 16 98 128 128 -3142.0 1.534554 1.30331 0.15 -9.27 -0.00 ${middle} 2.50 0.00 2 2.464 2.464 9.0`
  const [first, last] = imagesOf(line(1, '12.229 -39.068 58.164'), line(24, '21.493 -38.917 1.415'))
  const [row, column] = first?.traits.directions ?? []
  if (!first || !last || !row || !column) throw new Error('Not read')
  // The way between the middles goes along the normal, 23 slices of 2.5 mm.
  expect((last.image.place ?? 0) - (first.image.place ?? 0)).toBeCloseTo(23 * 2.5, 2)
  const [from, to] = [first.image.position, last.image.position]
  const way = from?.map((one, at) => (to?.[at] ?? 0) - one)
  expect(way).toEqual(
    [1.415 - 58.164, 21.493 - 12.229, -38.917 + 39.068].map((one) => expect.closeTo(one, 3)),
  )
  expect(way?.map((one) => one / 57.5)).toEqual(cross(row, column).map((one) => expect.closeTo(one, 3)))
  // From −3142 to 3142 thousandths of a radian.
  expect(recognise(first.traits)).toMatchObject({ role: 'velocity', unit: 'phase' })
})

/** In the directions of nibabel, which made these out of the headers of phantoms: right, front, head. */
it.each<[string, { line: string; corner: Triple; steps: [Triple, Triple] }]>([
  [
    'coronal, turned by 15°',
    {
      line: '1 1 1 1 0 2 0 16 100 80 80 0.0 229.40904 0.0157233 0.00 -0.00 15.00 -42.16 -16.66 0.00 3.0 0.3 3 3.0 3.0 0.0',
      corner: [118.5, 72.8274, 97.8072],
      steps: [
        [-3, 0, 0],
        [0, -0.7765, -2.8978],
      ],
    },
  ],
  [
    'sagittal',
    {
      line: '1 1 1 1 0 2 0 16 100 80 80 0.0 356.8298 0.0172142 0.00 -0.00 -0.00 -30.00 20.00 74.35 3.0 0.3 2 3.0 3.0 0.0',
      corner: [-74.35, 148.5, 138.5],
      steps: [
        [0, -3, 0],
        [0, 0, -3],
      ],
    },
  ],
])('of a phantom, %s', (_, { line, corner, steps }) => {
  const [image] = imagesOf(line)
  const near = (values: readonly number[]) => values.map((one) => expect.closeTo(one, 1))
  const inRas = ([l, p, h]: Triple, by = 1): Triple => [-l * by, -p * by, h * by]
  expect(inRas(image?.image.position ?? [0, 0, 0])).toEqual(near(corner))
  for (const [at, step] of steps.entries())
    expect(inRas(image?.traits.directions?.[at] ?? [0, 0, 0], 3)).toEqual(
      step.map((one) => expect.closeTo(one, 3)),
    )
})
