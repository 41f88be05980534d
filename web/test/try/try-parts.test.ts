import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foundBoxes } from '../../src/features/try/boxes.ts'
import { failureOf, TryFailure } from '../../src/features/try/failure.ts'
import { cut, layoutOf, type Planes, partOf } from '../../src/features/try/maps.ts'
import { percent } from '../../src/features/try/numbers.ts'
import { readFacts } from '../../src/features/try/onnx-file.ts'
import { openPicture } from '../../src/features/try/open-picture.ts'
import { maskOf, paintAreas, pngOf, sharesOf } from '../../src/features/try/paint.ts'
import { asBytes, type Picture, turned } from '../../src/features/try/picture.ts'
import { readPng } from '../../src/features/try/png.ts'
import { fitInto, resize } from '../../src/features/try/resize.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

/** Pictures of every kind as Pillow writes them, with what the engine reads of them. */
const script = `
import sys, json
import numpy as np
from PIL import Image
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from neuroloom_engine.data.images import as_uint8, read_picture, resize
from neuroloom_engine.data.box_augment import fit
folder = Path(sys.argv[1])
rng = np.random.default_rng(3)
colour = rng.integers(0, 256, (23, 37, 4), np.uint8)
deep = rng.integers(300, 4000, (19, 30)).astype(np.uint16)
images = {
  'grey': Image.fromarray(colour[..., 0]), 'colour': Image.fromarray(colour[..., :3]),
  'clear': Image.fromarray(colour), 'shades': Image.fromarray(colour[..., :2], 'LA'),
  'palette': Image.fromarray(colour[..., :3]).quantize(11), 'deep': Image.fromarray(deep),
  'line': Image.fromarray(colour[..., 0] > 128),
}
told = {}
for name, image in images.items():
    path = folder / f'{name}.png'
    image.save(path)
    for channels in (1, 3):
        pixels = as_uint8(read_picture(path), channels)
        told[f'{name} {channels}'] = {
          'levels': pixels.reshape(-1).tolist(), 'small': resize(pixels, 9, 14).reshape(-1).tolist(),
          'large': resize(pixels, 40, 41).reshape(-1).tolist(), 'fitted': fit(pixels, 16, 32).pixels.reshape(-1).tolist(),
        }
(folder / 'told.json').write_text(json.dumps(told))
`

describe('shares', () => {
  it('have one decimal whatever their size, and none that is there is written as nothing', () => {
    const written = [1, 0.984, 0.5, 0.034, 0.0285, 0.0004, 0].map((share) => percent(share, 'en'))
    expect(written).toEqual(['100.0%', '98.4%', '50.0%', '3.4%', '2.9%', '< 0.1%', '0.0%'])
  })
})

describe('pictures', () => {
  it('become the very numbers that the engine reads, whatever they are stored as', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
    const engine = join(import.meta.dirname, '../../../engine')
    const { status, stderr } = spawnSync(python, ['-c', script, folder, engine], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    type Told = { levels: number[]; small: number[]; large: number[]; fitted: number[] }
    // Written a line ago.
    const told: Record<string, Told> = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'))
    for (const [key, wanted] of Object.entries(told)) {
      const [name = '', channels] = key.split(' ')
      const picture = readPng(new Uint8Array(readFileSync(join(folder, `${name}.png`))))
      if (!picture) throw new Error(`${name} was not read`)
      const bytes = asBytes(picture, channels === '1' ? 1 : 3)
      expect([...bytes.levels], key).toEqual(wanted.levels)
      expect([...resize(bytes, 9, 14).levels], key).toEqual(wanted.small)
      expect([...resize(bytes, 40, 41).levels], key).toEqual(wanted.large)
      expect([...fitInto(bytes, 16, 32).picture.levels], key).toEqual(wanted.fitted)
    }
    rmSync(folder, { recursive: true })
  })

  it('are written as they are, also with 16 bits', async () => {
    const deep: Picture = {
      width: 3,
      height: 2,
      channels: 1,
      levels: Uint16Array.from([0, 1, 300, 4000, 65535, 9]),
    }
    const colour: Picture = {
      width: 1,
      height: 2,
      channels: 3,
      levels: Uint8Array.from([1, 2, 3, 250, 0, 9]),
    }
    for (const picture of [deep, colour]) {
      const bytes = new Uint8Array(await pngOf(picture).arrayBuffer())
      expect(readPng(bytes)).toEqual(picture)
      expect(() => readPng(bytes.slice(0, bytes.length - 20))).toThrow(TryFailure)
    }
  })

  it('are turned by a quarter to the right', () => {
    const picture: Picture = { width: 3, height: 2, channels: 1, levels: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
    expect(turned(picture)).toEqual({
      width: 2,
      height: 3,
      channels: 1,
      levels: Uint8Array.from([4, 1, 5, 2, 6, 3]),
    })
  })

  it.each([
    ['empty', []],
    ['tiff', [...'II*\0 '].map(code)],
    ['volume', [0x1f, 0x8b, 8]],
    ['dicom', [...Array(128).fill(0), ...[...'DICM'].map(code)]],
    ['other_format', [0, 0, 0, 24, ...[...'ftypheic'].map(code)]],
    ['not_a_picture', [...'%PDF-1.7'].map(code)],
  ])('that browsers cannot read are told as %s', async (name, bytes) => {
    const failure = await openPicture(new Blob([new Uint8Array(bytes)])).catch(failureOf)
    expect(failure).toBe(name)
  })
})

function code(sign: string): number {
  return sign.charCodeAt(0)
}

describe('tiles', () => {
  const input = { shape: ['batch', 1, 8, 12], sizeFree: false, sizeMultiple: [1, 1] }
  // Only these fields are looked at.
  const facts = { input } as unknown as Parameters<typeof layoutOf>[1]

  it.each([1, 2])('put together give the whole, enlarged %i times', (factor) => {
    const planes: Planes = {
      channels: 1,
      width: 30,
      height: 21,
      values: Float32Array.from({ length: 630 }, (_, at) => at),
    }
    const layout = layoutOf(planes, facts, factor)
    const out = new Float32Array(630 * factor ** 2).fill(-1)
    for (const tile of layout.tiles) {
      const part = partOf(tile, layout, { factor, size: planes })
      const seen = cut(planes, tile)
      for (let y = 0; y < part.height; y++) {
        for (let x = 0; x < part.width; x++) {
          const [row, column] = [Math.floor((part.fromY + y) / factor), Math.floor((part.fromX + x) / factor)]
          out[(part.top + y) * 30 * factor + part.left + x] = seen.values[row * seen.width + column] ?? -2
        }
      }
    }
    expect([...out].every((value, at) => value === wanted(at))).toBe(true)

    function wanted(at: number): number {
      return (
        Math.floor(Math.floor(at / (30 * factor)) / factor) * 30 + Math.floor((at % (30 * factor)) / factor)
      )
    }
  })

  it('beyond the picture hold its reflection', () => {
    const planes: Planes = { channels: 1, width: 3, height: 1, values: Float32Array.from([1, 2, 3]) }
    const { values } = cut(planes, { left: 0, top: 0, width: 8, height: 1 })
    expect([...values]).toEqual([1, 2, 3, 2, 1, 2, 3, 2])
  })

  it('are used for large pictures alone', () => {
    const free = { input: { ...input, sizeFree: true, sizeMultiple: [16, 16] } } as typeof facts
    expect(layoutOf({ width: 1000, height: 900 }, free, 1)).toMatchObject({
      padded: { width: 1008, height: 912 },
    })
    expect(layoutOf({ width: 1000, height: 900 }, free, 1).tiles).toHaveLength(1)
    expect(layoutOf({ width: 3000, height: 900 }, free, 1).tiles.length).toBeGreaterThan(10)
  })
})

describe('areas', () => {
  const areas = { kind: 'areas', width: 4, height: 1, classes: Uint8Array.from([0, 1, 2, 2]) } as const

  it('are counted as shares of the picture', () => {
    expect(sharesOf(areas, 3)).toEqual([0.25, 0.25, 0.5])
  })

  it('leave background clear', () => {
    const { rgba } = paintAreas(areas)
    expect([rgba[3], rgba[7]]).toEqual([0, 255])
  })

  it('become a mask with the member’s own values', () => {
    expect(maskOf(areas, [0, 200, 7]).levels).toEqual(Uint8Array.from([0, 200, 7, 7]))
    expect(maskOf(areas, [0, 300, 7]).levels).toEqual(Uint16Array.from([0, 300, 7, 7]))
  })

  it('or with the colours of the masks that were learned from', () => {
    const mask = maskOf(areas, ['#000000', '#ff8000', 2])
    expect(mask.channels).toBe(3)
    expect(mask.levels).toEqual(Uint8Array.from([0, 0, 0, 255, 128, 0, 2, 2, 2, 2, 2, 2]))
  })
})

describe('boxes', () => {
  const raw = { classes: 2, scale: [0.5, 1] as [number, number], size: { width: 40, height: 20 }, least: 0.1 }

  it('are brought to the picture’s own pixels, surest first, without what a surer one of its class covers', () => {
    const boxes = [...[0, 0, 10, 10], ...[0, 0, 10, 9], ...[15, 5, 40, 30], ...[5, 5, 5, 9]]
    const scores = [...[0.6, 0], ...[0.9, 0], ...[0, 0.7], ...[0.8, 0]]
    const found = foundBoxes({ ...raw, boxes, scores, mostOverlap: 0.6 })
    expect(found).toEqual([
      { class: 0, score: 0.9, x0: 0, y0: 0, x1: 20, y1: 9 },
      { class: 1, score: 0.7, x0: 30, y0: 5, x1: 40, y1: 20 },
    ])
  })
})

describe('what goes wrong', () => {
  it('has a name', () => {
    expect(failureOf(new TryFailure('tiff'))).toBe('tiff')
    expect(failureOf(new RangeError('Array buffer allocation failed'))).toBe('no_memory')
    expect(failureOf(new Error('no available backend found. ERR: [wasm] WebAssembly is not defined'))).toBe(
      'no_webassembly',
    )
    expect(failureOf(new Error('?'))).toBe('unexpected')
  })

  it('is no crash where a file is no network of this product', () => {
    for (const bytes of [[], [1, 2, 3], [0x3a, 200, 1], [...'<html>'].map(code)]) {
      expect(readFacts(Uint8Array.from(bytes))).toBeNull()
    }
  })
})
