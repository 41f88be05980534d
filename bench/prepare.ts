/**
 * A thousand images made smaller by the product's engine process, with a line for each, and by a bare Pillow loop, in
 * turns: `npm run bench -- prepare`. Goal: at least 0.9 of the loop's throughput.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawField } from '../server/src/demo/pictures.ts'
import { encodePng } from '../server/src/demo/png.ts'
import { prepareFiles } from '../server/src/infra/engine/prepare.ts'
import { engineFolder } from '../server/src/infra/engine/process.ts'
import { createLog } from '../server/src/infra/log.ts'

const COUNT = Number(process.env.IMAGES ?? 1000)
const [FROM, TO, ROUNDS, GOAL] = [512, 256, 3, 0.9]
/** Drawn once each; the others are the same bytes again, which every reader decodes anew. */
const DRAWN = 50
const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

const folder = await mkdtemp(join(tmpdir(), 'neuroloom-prepare-'))
try {
  const images = join(folder, 'images')
  await mkdir(images)
  const drawn = Array.from({ length: DRAWN }, (_, seed) => encodePng(drawField(seed, FROM).image))
  const paths: string[] = []
  for (let number = 0; number < COUNT; number += 1) {
    const path = join(images, `${String(number).padStart(4, '0')}.png`)
    const bytes = drawn[number % DRAWN]
    if (bytes) await writeFile(path, bytes)
    paths.push(path)
  }
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareLoop(images))
    ours.push(await byProduct(paths))
    process.stdout.write(
      `round ${round + 1}: bare loop ${bare.at(-1)?.toFixed(1)}, product ${ours.at(-1)?.toFixed(1)} images/s\n`,
    )
  }
  const ratio = middle(ours) / middle(bare)
  process.stdout.write(`product / bare loop: ${ratio.toFixed(2)} (goal ${GOAL} or more)\n`)
  process.exitCode = ratio >= GOAL ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Start of the process included, as a member waits for it. */
async function byProduct(paths: string[]): Promise<number> {
  const start = performance.now()
  let told = 0
  await prepareFiles({
    settings: { python, codeFolder: engineFolder, log: createLog('warn', 'bench') },
    workFolder: join(folder, 'work'),
    work: {
      do: 'recipe',
      recipe: { v: 1, steps: [{ do: 'size', how: 'stretch', width: TO, height: TO }] },
    },
    files: paths.map((path, number) => ({
      ...{ id: String(number), paths: [path], names: [`${number}.png`], isMask: false, expect: null },
    })),
    signal: new AbortController().signal,
    onFile: async ({ reason }) => {
      if (reason) throw new Error(reason.name)
      told += 1
    },
  })
  return told / ((performance.now() - start) / 1000)
}

/** The same library, the same filter, the same kind of file; nothing else. */
async function bareLoop(images: string): Promise<number> {
  const out = join(folder, 'bare')
  await mkdir(out, { recursive: true })
  const start = performance.now()
  const code = `
import os, sys
from PIL import Image
source, target = sys.argv[1:]
for name in sorted(os.listdir(source)):
    with Image.open(os.path.join(source, name)) as image:
        image.resize((${TO}, ${TO}), Image.Resampling.BILINEAR).save(os.path.join(target, name))
`
  await new Promise<void>((resolve, reject) => {
    const child = spawn(python, ['-c', code, images, out], { stdio: 'inherit' })
    child.once('exit', (status) =>
      status === 0 ? resolve() : reject(new Error(`The loop ended with ${status}`)),
    )
  })
  const count = (await readdir(out)).length
  return count / ((performance.now() - start) / 1000)
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
