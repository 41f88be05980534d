/** Networks of every task, trained small by the real engine, with what the engine itself says of the pictures. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ItemResult } from '@neuroloom/contract/engine'
import { parseLibrary } from '@neuroloom/contract/network/library'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import type { Task } from '@neuroloom/contract/task'
import { unzipSync } from 'fflate'
import type { Picture } from '../../src/features/try/picture.ts'
import { readPng } from '../../src/features/try/png.ts'

export type Case = {
  name: string
  task: Task
  network: string
  /** Height and width that it is trained with. */
  size: [number, number]
  channels: 1 | 3
  bits: 8 | 16
  factor?: number
}

const room = join(import.meta.dirname, '../../..')
const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'

/** The folder of the trained networks, one below it for each case. */
export function makeExports(cases: readonly Case[]): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'exports-'))
  writeFileSync(
    join(folder, 'cases.json'),
    JSON.stringify(cases.map((one) => ({ ...one, plan: planOf(one) }))),
  )
  const { status, stderr, stdout } = spawnSync(python, ['-m', 'tests.make_exports', folder], {
    cwd: join(room, 'engine'),
    encoding: 'utf8',
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  })
  if (status !== 0) throw new Error(`the engine ended with ${status}: ${stdout}${stderr}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const wire = (path: string): string => readFileSync(join(room, 'contract/wire', path), 'utf8')

function planOf({ task, network, size, channels, factor }: Case): object {
  const { catalogue, std, networks } = parseLibrary({
    catalogue: wire('catalogue.json'),
    std: wire('std.yaml'),
    networks: { [network]: wire(`networks/${network}.yaml`) },
  })
  const document = networks.get(network)
  if (!document) throw new Error(`no network ${network}`)
  const isRestored = task === 'super_resolution' || task === 'denoising'
  const data = { size, channels, ...(isRestored ? {} : { classes: 2 }), ...(factor ? { factor } : {}) }
  const { plan, errors } = resolve(document, { catalogue, std, data })
  if (!plan) throw new Error(`${network}: ${JSON.stringify(errors)}`)
  return plan
}

/** A run folder's exported network, pictures and the engine's answers. */
export function openRun(folder: string) {
  const read = (...path: string[]): Uint8Array => new Uint8Array(readFileSync(join(folder, ...path)))
  const png = (bytes: Uint8Array | undefined): Picture => {
    const picture = bytes && readPng(bytes)
    if (!picture) throw new Error(`no picture in ${folder}`)
    return picture
  }
  const archive = (name: string): Record<string, Uint8Array> =>
    readdirSync(join(folder, 'out')).includes(name) ? unzipSync(read('out', name)) : {}
  const [masks, images] = [archive('masks.zip'), archive('images.zip')]
  // Written by the engine of this very product.
  const items: ItemResult[] = JSON.parse(readFileSync(join(folder, 'out', 'items.json'), 'utf8'))
  return {
    network: read('out', 'model.onnx'),
    items,
    picture: (name: string) => png(read('data', name)),
    truth: (name: string) => png(read('data', 'truth', name)),
    mask: (name: string) => png(masks[name]),
    restored: (name: string) => png(images[name]),
  }
}
