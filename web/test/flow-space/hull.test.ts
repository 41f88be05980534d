import { expect, it } from 'vitest'
import { hullOf } from '../../src/features/flow/space/numbers/hull.ts'

const side = 24
const grid = { size: [side, side, side], spacing: [0.002, 0.002, 0.002] } as const
const ball = (radius: number) =>
  Uint8Array.from({ length: side ** 3 }, (_, voxel) => {
    const place = [voxel % side, Math.floor(voxel / side) % side, Math.floor(voxel / side ** 2)]
    return Math.hypot(...place.map((one) => one - (side - 1) / 2)) < radius ? 1 : 0
  })

it('wraps a ball smoothly: closed, outwards, and of its size', () => {
  const hull = hullOf(ball(8), grid)
  if (!hull) throw new Error('no hull')
  const { corners, normals, triangles } = hull
  const corner = (at: number) => [0, 1, 2].map((axis) => corners[3 * at + axis] ?? 0)
  for (let at = 0; at < corners.length / 3; at++) {
    const place = corner(at)
    const radius = Math.hypot(...place)
    expect(Math.abs(radius / 0.002 - 8)).toBeLessThan(1)
    const outwards = place.reduce((sum, part, axis) => sum + part * (normals[3 * at + axis] ?? 0), 0) / radius
    expect(outwards).toBeGreaterThan(0.8)
  }
  // Each edge once each way: nothing is open, and no face is turned against its neighbour.
  const edges = new Map<string, number>()
  let volume = 0
  for (let at = 0; at < triangles.length; at += 3) {
    const three = [...triangles.subarray(at, at + 3)]
    for (const [index, from] of three.entries()) {
      const to = three[(index + 1) % 3] ?? 0
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`
      edges.set(key, (edges.get(key) ?? 0) + (from < to ? 1 : -1))
    }
    const [[a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0], [g = 0, h = 0, i = 0]] = three.map(corner) as [
      number[],
      number[],
      number[],
    ]
    volume += (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)) / 6
  }
  expect([...edges.values()].every((sum) => sum === 0)).toBe(true)
  expect(volume / ((4 / 3) * Math.PI * 0.016 ** 3)).toBeGreaterThan(0.85)
  expect(volume / ((4 / 3) * Math.PI * 0.016 ** 3)).toBeLessThan(1.05)
})

it('keeps a single voxel, closes at the border of the grid, and has none of an empty mask', () => {
  const one = new Uint8Array(side ** 3)
  expect(hullOf(one, grid)).toBeNull()
  one[0] = 1
  const hull = hullOf(one, grid)
  expect(hull?.triangles).toHaveLength(6 * 2 * 3)
  expect(hull?.corners).toHaveLength(8 * 3)
})
