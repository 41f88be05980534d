/** The program that people take along draws DICOM as the product does for its networks, or says what helps instead. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DicomWindow } from '@neuroloom/contract/dicom-data'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drawn as Drawing, drawDicom } from '../../../../test/dicom.ts'
import { deriveAll } from '../deriving.ts'

const root = join(import.meta.dirname, '../../../../..')
const samples = join(process.env.SHARED_DATA ?? join(root, '..', 'shared', 'data'), 'formats/dicom')
const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dicom-program-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = `
import hashlib, json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from pictures import read_levels
facts, said = json.loads(sys.argv[2]), []
for path in map(Path, sys.argv[3:]):
    try:
        levels = read_levels(path, facts)
        said.append({"shape": levels.shape, "digest": hashlib.sha256(levels.tobytes()).hexdigest()})
    except ValueError as error:
        said.append({"refused": str(error)})
print(json.dumps(said))
`

type Drawn = { shape: number[]; digest: string } | { refused: string }

function byProgram(paths: string[], window: DicomWindow | null): Drawn[] {
  const facts = JSON.stringify({ dicom: { window } })
  const options = ['-c', script, join(root, 'contract/wire/program'), facts, ...paths]
  const { stdout, stderr } = spawnSync(python, options, { encoding: 'utf8' })
  expect(stderr).toBe('')
  // Printed by the script above.
  return JSON.parse(stdout) as Drawn[]
}

/** By the product: null of what becomes no picture. */
async function byProduct(path: string, window: DicomWindow | null): Promise<Drawn | null> {
  const files = [{ path, name: 'slice.dcm' }]
  const out = mkdtempSync(join(folder, 'made-'))
  const [made] = await deriveAll({ kind: 'picture', images: [{ files, window }], out, limitBytes: 1e9 })
  if (!made || 'unfit' in made) return null
  const picture = sharp(join(out, made.made))
  const { channels } = await picture.metadata()
  const stored = picture.toColourspace(channels === 1 ? 'b-w' : 'srgb').raw()
  const { data, info } = await stored.toBuffer({ resolveWithObject: true })
  const shape = [info.height, info.width, ...(info.channels === 1 ? [] : [info.channels])]
  return { shape, digest: createHash('sha256').update(data).digest('hex') }
}

describe('the program draws DICOM', () => {
  it.each([
    ['by its own window or its usual values', null],
    ['by the window that was chosen for the training', { center: 60, width: 400 }],
  ])('as the product does, %s', async (_how, window) => {
    const names = readdirSync(samples).filter((name) => name.endsWith('.dcm'))
    const drawn = byProgram(
      names.map((name) => join(samples, name)),
      window,
    )
    const read: string[] = []
    for (const [index, name] of names.entries()) {
      const own = drawn[index]
      if (own === undefined || 'refused' in own) {
        expect(own?.refused, name).toMatch(/convert it to PNG|cannot be read|no whole DICOM|not complete/)
        continue
      }
      expect(own, name).toEqual(await byProduct(join(samples, name), window))
      read.push(name)
    }
    // Each way in which pixels lie in a file as they are.
    for (const syntax of ['.1.2_implicit', '.1.2.1_explicit', '.1.2.2_explicit', '.1.2.1.99_deflated'])
      expect(read.filter((name) => name.includes(`10008${syntax}`))).toHaveLength(1)
  })

  const drawings: Record<string, Drawing> = {
    outliers: { at: (x, y) => (x + y === 0 ? 30_000 : (x * 31 + y * 7) % 900) },
    'few greys': { at: (x, y) => (x + y) % 3 },
    'a background': { at: (x, y) => (x < 20 ? -1000 : (x * 31 + y * 7) % 900) },
    'a window of its own': { window: { center: 40, width: 350 } },
    'slope and intercept': { slope: 2, intercept: -1024 },
    'white as the least value': { photometric: 'MONOCHROME1' },
    colours: { isColour: true },
  }
  it('as the product does, whatever scanners write about it', async () => {
    const paths = Object.entries(drawings).map(([name, drawing]) => {
      const path = join(folder, `${name}.dcm`)
      writeFileSync(path, drawDicom(drawing))
      return path
    })
    const drawn = byProgram(paths, null)
    for (const [index, path] of paths.entries())
      expect(drawn[index], path).toEqual(await byProduct(path, null))
  })
})
