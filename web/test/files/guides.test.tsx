import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Guides, sidesOf } from '../../src/features/files/viewer/guides.tsx'
import type { Pane } from '../../src/features/files/viewer/measure/surface.ts'
import { planeOf } from '../../src/features/files/viewer/plane-of.ts'

/** 100 × 80 voxels of two pixels each, from (20, 200) upwards; seen from the patient's feet: right is on the left. */
const axial: Pane = {
  place: { plane: 'axial', slice: 4, frame: 0 },
  size: [100, 80],
  origin: [220, 200],
  step: [-2, -2],
  clip: { left: 0, top: 0, width: 400, height: 300 },
}

describe('the sides of the body', () => {
  it.each([
    ['axial', [-1, -1], 'R', 'L', 'A', 'P'],
    ['coronal', [-1, -1], 'R', 'L', 'S', 'I'],
    ['sagittal', [1, -1], 'P', 'A', 'S', 'I'],
    ['axial', [1, 1], 'L', 'R', 'P', 'A'],
  ] as const)('of %s slices with steps %j', (plane, step, left, right, top, bottom) => {
    const place = { ...axial.place, plane }
    expect(sidesOf({ place, step: [...step] })).toEqual({ left, right, top, bottom })
  })

  it('stand on all four edges of a single slice whose place in the patient is known', () => {
    const { container } = render(<Guides panes={[axial]} cross={null} hasSides />)
    const letters = [...container.querySelectorAll('text')]
    expect(letters.map((text) => [text.dataset.side, text.textContent])).toEqual([
      ['left', 'R'],
      ['right', 'L'],
      ['top', 'A'],
      ['bottom', 'P'],
    ])
    expect(letters.map((text) => [text.getAttribute('x'), text.getAttribute('y')])).toEqual([
      ['34', '120'],
      ['206', '120'],
      ['120', '54'],
      ['120', '186'],
    ])
    expect(container.querySelector('line')).toBeNull()
  })

  it('are left out where nothing is known of them', () => {
    const { container } = render(<Guides panes={[axial]} cross={[0, 0, 0]} hasSides={false} />)
    expect(container.querySelector('text')).toBeNull()
  })
})

describe('a single slice', () => {
  it.each([
    ['LPS', 'axial'],
    ['LIP', 'coronal'],
    ['PIR', 'sagittal'],
    [null, 'axial'],
  ] as const)('of orientation %s is seen as %s', (orientation, plane) => {
    expect(planeOf({ orientation })).toBe(plane)
  })
})

describe('the cross', () => {
  it('has a line across and one down through the middle of its voxel, of a device pixel or more', () => {
    const { container } = render(<Guides panes={[axial]} cross={[10, 30, 4]} hasSides={false} />)
    const lines = [...container.querySelectorAll('line')]
    const ends = lines.map((line) => ['x1', 'x2', 'y1', 'y2'].map((name) => Number(line.getAttribute(name))))
    expect(ends).toEqual([
      [20, 220, 139, 139],
      [199, 199, 40, 200],
    ])
    for (const line of lines) {
      const width = Number(line.getAttribute('stroke-width')) * window.devicePixelRatio
      expect(width).toBeGreaterThanOrEqual(1)
    }
  })
})
