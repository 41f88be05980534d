import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { createLog } from '../log.ts'
import { type CheckedFile, type CheckFile, createEngine } from './engine.ts'
import { MAX_LINE_BYTES, readLines } from './lines.ts'
import { engineEnvironment } from './process.ts'

const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
const log = createLog('silent', 'test')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-engine-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the check of files', () => {
  it('tells facts of images and masks and why others cannot be used', async () => {
    const { image, mask } = drawField(1, 48)
    const files = await writeFiles({
      picture: encodePng(image),
      mask: encodePng(mask),
      empty: Buffer.alloc(0),
      text: Buffer.from('this is not a picture'),
      cut: encodePng(image).subarray(0, 300),
      'рисунок 图': encodePng(image),
    })
    const checked = await check(
      files.map((file) => ({ ...file, role: file.id === 'mask' ? 'mask' : 'image' })),
    )

    expect(checked.map(({ id, reason }) => [id, reason])).toEqual([
      ['picture', null],
      ['mask', null],
      ['empty', 'empty'],
      ['text', 'not_an_image'],
      ['cut', 'truncated'],
      ['рисунок 图', null],
    ])
    expect(checked[0]?.facts).toMatchObject({ width: 48, height: 48, channels: 1, values: null })
    expect(Object.keys(checked[1]?.facts?.values ?? {})).toEqual(['0', '255'])
  })

  it('makes a small picture of each image that may be moved away', async () => {
    const files = await writeFiles({ tall: encodePng(drawField(2, 96).image) })
    const engine = createEngine({ python, workFolder: folder, log })
    const starts: string[] = []
    await engine.check(files, { thumbnailSize: 32 }, async ({ thumbnail }) => {
      if (thumbnail) starts.push((await readFile(thumbnail)).subarray(8, 12).toString())
    })
    expect(starts).toEqual(['WEBP'])
  })

  it('blames a file that crashes the reader and goes on with the others', async () => {
    const good = encodePng(drawField(3, 32).image)
    const contents = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`f${index}`, index === 11 ? Buffer.from('CRASH') : good]),
    )
    const checked = await check(await writeFiles(contents), await crashingPython())

    expect(checked.map(({ id }) => id)).toEqual(Object.keys(contents))
    expect(checked.filter(({ reason }) => reason !== null)).toEqual([
      { id: 'f11', facts: null, reason: 'not_an_image', thumbnail: null, made: null },
    ])
  })

  it('blames no file when the program cannot be started', async () => {
    const files = await writeFiles({ one: encodePng(drawField(4, 32).image) })
    await expect(check(files, join(folder, 'no-such-python'))).rejects.toThrow(/broke off/)
  })
})

describe('the warm process', () => {
  it('is ready before a run and ends with the engine', async () => {
    const engine = createEngine({ python, workFolder: folder, log })
    engine.warm()
    expect(await engine.warmed()).toBe(true)
    engine.close()
    expect(await engine.warmed()).toBe(false)
  })

  it('sees nothing of the settings and secrets of the server', () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret')
    const environment = engineEnvironment('/code')
    vi.unstubAllEnvs()
    expect(Object.keys(environment)).not.toContain('DATABASE_URL')
    expect(environment).toMatchObject({ PYTHONPATH: '/code' })
  })
})

describe('the reading of protocol lines', () => {
  const heartbeat = { v: 1, seq: 4, t: 1, type: 'heartbeat', memoryBytes: 5 }
  const line = Buffer.from(`${JSON.stringify(heartbeat)}\n`)

  it.each([1, 7, 1000])('puts lines together from pieces of %i bytes', async (size) => {
    const whole = Buffer.concat([line, Buffer.from('{"v":1,"type":"ready"}\n'), line])
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      whole.subarray(index * size, (index + 1) * size),
    )
    expect(await read(pieces)).toEqual([{ event: heartbeat }, { ready: true }, { event: heartbeat }])
  })

  it('tells unknown lines apart and drops a last line without an end', async () => {
    const pieces = [Buffer.from('oops\n{"type":"new"}\n'), line, Buffer.from('{"v":1')]
    expect(await read(pieces)).toEqual([
      { unreadable: 'oops' },
      { unreadable: '{"type":"new"}' },
      { event: heartbeat },
    ])
  })

  it('refuses a line over a megabyte without keeping it', async () => {
    const flood = Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024, 'x'))
    const lines = await read([...flood, Buffer.from('\n'), line])
    expect(lines).toEqual([{ unreadable: `a line of ${40 * 64 * 1024} bytes` }, { event: heartbeat }])
    expect(40 * 64 * 1024).toBeGreaterThan(MAX_LINE_BYTES)
  })
})

async function read(pieces: Buffer[]): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const line of readLines(asStream(pieces))) lines.push(line)
  return lines
}

async function* asStream(pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

async function check(files: CheckFile[], program = python): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = []
  await createEngine({ python: program, workFolder: folder, log }).check(
    files,
    { thumbnailSize: 0 },
    (file) => {
      checked.push(file)
    },
  )
  return checked
}

async function writeFiles(contents: Record<string, Buffer>): Promise<CheckFile[]> {
  return Promise.all(
    Object.entries(contents).map(async ([id, bytes]) => {
      const path = join(folder, id)
      await writeFile(path, bytes)
      return { id, path, role: 'image' as const }
    }),
  )
}

/** The real engine with a reader that a certain file brings down as a broken decoder would: by SIGABRT. */
async function crashingPython(): Promise<string> {
  const path = join(folder, 'crashing-python')
  const code = [
    'import os, runpy, sys',
    'from neuroloom_engine import check',
    'read = check.read_picture',
    'def crashing(path, most):',
    '    return os.abort() if path.read_bytes() == b"CRASH" else read(path, most)',
    'check.read_picture = crashing',
    'sys.argv = ["neuroloom_engine", *sys.argv[3:]]',
    'runpy.run_module("neuroloom_engine", run_name="__main__")',
  ].join('\n')
  await writeFile(`${path}.py`, code)
  await writeFile(path, `#!/bin/sh\nexec ${python} ${path}.py "$@"\n`)
  await chmod(path, 0o755)
  return path
}

describe('the device', () => {
  it('is asked for again as long as PyTorch does not answer, and no more once it did', async () => {
    const tired = join(folder, 'tired-python')
    const asked = join(folder, 'asked')
    // Fails the first time, as on a machine without memory to spare.
    await writeFile(
      tired,
      `#!/bin/sh\necho >> '${asked}'\n[ "$(wc -l < '${asked}')" -gt 1 ] && exec '${python}' "$@"\n`,
    )
    await chmod(tired, 0o755)
    const engine = createEngine({ python: tired, workFolder: folder, log })
    const halfOps: unknown[] = []
    for (let time = 1; time <= 3; time += 1) halfOps.push((await engine.device()).halfOps)
    expect(halfOps).toEqual([undefined, expect.any(Array), expect.any(Array)])
    expect(await readFile(asked, 'utf8')).toBe('\n\n')
  })
})
