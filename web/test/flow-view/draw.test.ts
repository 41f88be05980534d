import { startSettings } from '@neuroloom/contract/flow/options'
import { expect, it } from 'vitest'
import { askOf, problemsOf, settled, startChoice, withKind } from '../../src/features/flow/viewer/choice.ts'
import { drawBars } from '../../src/features/flow/viewer/draw/bars.ts'
import { layoutOf, placingOf, wholeView, zoomed } from '../../src/features/flow/viewer/draw/frame.ts'
import { arrowShape, greyPixels, mapPixels, ticksOf } from '../../src/features/flow/viewer/draw/shapes.ts'
import { openSession } from '../../src/features/flow/viewer/numbers/session.ts'
import { curvesCsv } from '../../src/features/flow/viewer/sections/curves-csv.ts'
import {
  type Cut,
  planeAcross,
  summaryOf,
  volumeProblem,
} from '../../src/features/flow/viewer/sections/use-sections.ts'
import { makeHead, makeStudy } from './make-study.ts'

it('draws an arrow along the flow: to the right where x grows', () => {
  const corners = arrowShape({ x: 10, y: 20, dx: 30, dy: 0, width: 2 })
  const xs = corners.filter((_, at) => at % 2 === 0)
  const ys = corners.filter((_, at) => at % 2 === 1)
  expect([corners[6], corners[7]]).toEqual([40, 20])
  expect(Math.max(...xs)).toBe(40)
  expect(Math.min(...xs)).toBe(10)
  // The head is 3.5 times as wide as the shaft.
  expect(Math.max(...ys) - Math.min(...ys)).toBeCloseTo(7)
})

it('points arrows of flow to the left of the patient to the right of the picture', () => {
  const measured = makeStudy({ size: [9, 9, 3], velocity: () => [0.5, 0, 0] })
  const session = openSession(measured)
  const choice = { ...startChoice(session.facts), hasArrows: true }
  const picture = session.picture({
    ...askOf(measured.head, choice),
    mask: { isOn: false, isGiven: false, level: 0, isLargest: false },
  })
  expect(picture.arrows?.dx.length).toBeGreaterThan(3)
  for (const dx of picture.arrows?.dx ?? []) expect(dx).toBeGreaterThan(2)
  for (const dy of picture.arrows?.dy ?? []) expect(Math.abs(dy)).toBeLessThan(1e-6)
})

it('leaves pixels without a value clear, and never draws them as 0', () => {
  const pixels = mapPixels(Float32Array.of(Number.NaN, 0, -2, 2), 'vorticity', 2)
  expect([pixels[3], pixels[7]]).toEqual([0, 255])
  expect([...pixels.slice(4, 7)]).not.toEqual([0, 0, 0])
  // Blue below 0, orange above.
  expect(pixels[10]).toBeGreaterThan(pixels[8] ?? 255)
  expect(pixels[12]).toBeGreaterThan(pixels[14] ?? 255)
})

it('goes from black to white within the window', () => {
  const pixels = greyPixels(Float32Array.of(10, 60, 110, 500), [10, 110])
  expect([pixels[0], pixels[4], pixels[8], pixels[12]]).toEqual([0, 128, 255, 255])
})

it('keeps the shape of voxels, and puts the middle of a sample where it belongs', () => {
  const shown = { width: 10, height: 4, spacing: [0.001, 0.003] as const }
  const { image } = layoutOf({ width: 800, height: 600 }, 1)
  const placing = placingOf(image, shown, wholeView(shown))
  expect(placing.down / placing.across).toBeCloseTo(3)
  expect(placing.column(placing.x(3))).toBeCloseTo(3)
  expect((placing.x(-0.5) + placing.x(9.5)) / 2).toBeCloseTo(image.width / 2)
  const at = { x: 200, y: 100 }
  const closer = placingOf(image, shown, zoomed(wholeView(shown), placing, { by: 2, at }))
  expect(closer.column(at.x)).toBeCloseTo(placing.column(at.x))
  expect(closer.across).toBeCloseTo(2 * placing.across)
})

it.each([800, 380])('writes unit and numbers on a colour bar, in a picture %s px wide', (width) => {
  const written: string[] = []
  const ctx = { fillText: (text: string) => written.push(text), fillRect: () => {} }
  const bar = {
    ...{ map: 'speed' as const, title: 'Speed', unit: 'cm/s', from: 0, to: 87, format: String },
  }
  // What bars are drawn with; the rest of a canvas they do not touch.
  drawBars(ctx as unknown as CanvasRenderingContext2D, layoutOf({ width, height: 500 }, 1), [bar])
  expect(written.join(' ')).toContain('cm/s')
  expect(written).toContain('20')
})

it('has round numbers on its axes', () => {
  expect(ticksOf(0, 87, 5)).toEqual([0, 20, 40, 60, 80])
  expect(ticksOf(-3, 3, 4)).toEqual([-2, 0, 2])
  expect(ticksOf(1, 1, 4)).toEqual([])
})

const opened = () => {
  const measured = makeStudy({ size: [16, 16, 8], velocity: ([x]) => [0, 0, x / 16] })
  return { head: measured.head, start: startChoice(openSession(measured).facts) }
}

it('refuses an even window, and goes on drawing the last that was allowed', () => {
  const { head, start } = opened()
  const even = settled(head, { ...start, settings: { ...startSettings, vorticityCalculationWindow: 4 } })
  expect(problemsOf(head, even).map(({ reason }) => reason)).toEqual(['window_even'])
  expect(askOf(head, even).window).toBe(5)
  const odd = settled(head, { ...even, settings: { ...startSettings, vorticityCalculationWindow: 7 } })
  expect(askOf(head, odd).window).toBe(7)
})

it('says that a kind is missing, and still draws the rest', () => {
  const { head, start } = opened()
  const none = settled(head, {
    ...start,
    ...withKind(withKind(start, 'vortex', false), 'fluidLine', false),
  })
  expect(problemsOf(head, none).map(({ reason }) => reason)).toEqual(['kind_missing'])
  expect(none.colours).toBe('speed')
  expect(askOf(head, none)).toMatchObject({ hasVortex: false, density: null })
})

const cutOf = (flows: number[]): Cut => ({
  ...{
    number: 1,
    name: null,
    plane: { centre: [0, 0, 0], normal: [0, 0, 1] },
    region: 'circle',
    radius: 0.01,
  },
  ...{ rule: 'exact', isTurned: false, fault: null },
  flow: {
    ...{ area: 1e-4, across: 6, outline: [] },
    frames: flows.map((flow) => ({
      ...{ flow, area: 1e-4, meanVelocity: flow / 1e-4, peak: 0.9, peak99: 0.8, unknown: 0 },
    })),
  },
})

it('sums a beat up where the recording closes to one, and tells why where it does not', () => {
  const head = makeHead({ frames: 4 })
  const summary = summaryOf(cutOf([1e-4, 2e-4, -1e-4, 0]), head)
  expect(summary?.forward).toBeCloseTo(0.75e-4)
  expect(summary?.backward).toBeCloseTo(0.25e-4)
  expect(volumeProblem(head)).toBeNull()
  expect(volumeProblem(makeHead({ frames: 4, head: { gating: 'prospective' } }))).toBe('not_periodic')
  expect(volumeProblem(makeHead({ frames: 4, head: { period: null } }))).toBe('no_period')
  expect(volumeProblem(makeHead({ frames: 1 }))).toBe('one_frame')
})

it('turns the curve round with its forward side', () => {
  const turned = { ...cutOf([1e-4, 2e-4]), isTurned: true }
  const origin = {
    ...{ study: 'Arch', sha256: 'b'.repeat(64), sources: 'a'.repeat(64), software: 'Neuroloom 1' },
    sharpened: null,
    provenance: {},
  }
  const lines = curvesCsv(makeHead({ frames: 2 }), [turned], origin).split('\r\n')
  const [header = '', first = ''] = lines
  expect(header).toContain('flow [mL/s]')
  expect(header).toContain('time [ms]')
  expect(header).toContain('exact area')
  expect(first.split(',').slice(0, 4)).toEqual(['1', '0', '-100', '-100'])
  // Half a second each.
  expect(lines).toContain('"plane 1 (circle, exact area) net volume a beat [mL]",-150')
  for (const line of ['study,Arch', `study SHA-256,${origin.sha256}`, 'software,Neuroloom 1'])
    expect(lines).toContain(line)
})

it('puts a plane across a vessel through both walls', () => {
  const placed = planeAcross({ from: [0, 0, 0], to: [0.02, 0, 0], away: [0, 0, 1] })
  expect(placed?.radius).toBeCloseTo(0.01)
  expect(placed?.plane.centre).toEqual([0.01, 0, 0])
  expect(Math.abs(placed?.plane.normal[1] ?? 0)).toBeCloseTo(1)
  expect(planeAcross({ from: [1, 1, 1], to: [1, 1, 1], away: [0, 0, 1] })).toBeNull()
})
