import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pytorchCode } from '@neuroloom/contract/network/code/code'
import { parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { type ResolveOptions, resolve } from '@neuroloom/contract/network/resolve/resolve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRandom } from '../network/random.ts'
import { builtIn, exampleIds, library, makeNetwork, wireText } from '../network/wire.ts'
import { Engine, python } from './engine.ts'
import { GraphMaker } from './graphs.ts'
import { isLong, third } from './sample.ts'
import { smaller } from './sizes.ts'

const texts = parsePytorchTexts(
  JSON.parse(wireText('pytorch.json')),
  programFiles.map((name) => wireText(`program/${name}.py`)),
)
const folder = mkdtempSync(join(tmpdir(), 'neuroloom-code-'))

let engine: Engine
beforeAll(() => {
  engine = new Engine()
})
afterAll(() => {
  engine.close()
  rmSync(folder, { recursive: true })
})

function planOf(document: Parameters<typeof resolve>[0], options: Partial<ResolveOptions> = {}): Plan {
  const { plan, errors } = resolve(document, { ...library, ...options })
  if (plan === null) throw new Error(JSON.stringify(errors))
  return plan
}

async function compare(plan: Plan, name: string) {
  const code = pytorchCode(plan, { name, texts })
  const answer = await engine.ask('code', { plan, code, weights: join(folder, `${name}.safetensors`) })
  return 'error' in answer ? `${name}: ${answer.error}` : { ...answer, difference: undefined }
}

/** Each file as a program of its own, one after the other, with nothing of ours in reach. */
async function runAlone(files: readonly string[]) {
  const paths = Array.from(files, (_, k) => join(folder, `alone${k}.py`))
  for (const [k, path] of paths.entries()) writeFileSync(path, files[k] ?? '')
  const runner = `import runpy, sys
paths, sys.argv = sys.argv[1:], sys.argv[:1]
for path in paths: runpy.run_path(path, run_name="__main__")`
  const env = { PATH: process.env.PATH ?? '' }
  return (await promisify(execFile)(python, ['-c', runner, ...paths], { cwd: folder, env })).stdout
}

describe('generated PyTorch gives the very numbers of the engine, from the same weight file', () => {
  test.each(third(exampleIds))('for %s', async (id) => {
    const plan = planOf(builtIn(id), smaller(id))
    expect(await compare(plan, id)).toEqual({ id: expect.anything(), isEqual: true, learn: plan.learn })
  })

  test('for names in any script', async () => {
    const nodes = {
      编码器: { op: 'conv', out: 4, repeat: 2 },
      свёртка: { op: 'conv_bn_relu', out: 4 },
      परत: 'globalavg',
    }
    const plan = planOf(makeNetwork({ nodes, heads: { main: { task: 'x', from: 'परत' } } }))
    expect(await compare(plan, 'names')).toEqual({ id: expect.anything(), isEqual: true, learn: plan.learn })
  })

  const count = isLong ? 100 : 50
  test(`for ${count} random networks that meet every operation`, async () => {
    const maker = new GraphMaker(makeRandom(21), library.catalogue)
    const plans = Array.from({ length: count }, () => planOf(maker.make()))
    const found = await Promise.all(plans.map((plan, k) => compare(plan, `random${k}`)))
    const unlike = found.filter((answer, k) => {
      return typeof answer === 'string' || !answer.isEqual || answer.learn !== plans[k]?.learn
    })
    expect(unlike).toEqual([])
    expect([...maker.hits].filter(([, hits]) => hits < 3)).toEqual([])
  })
})

test('every operation has a text, and no text is left over', () => {
  expect([...texts.ops.keys()].sort()).toEqual([...library.catalogue.keys()].sort())
  const used = JSON.stringify([...texts.ops.values()]) + JSON.stringify([...texts.helpers.values()])
  // Each helper stands where it is made, and at least once where it is used.
  const idle = [...texts.helpers.keys()].filter((name) => used.split(new RegExp(`\\b${name}\\b`)).length < 3)
  expect(idle).toEqual([])
})

describe('the file', () => {
  const tiny = {
    nodes: { c: { op: 'conv', out: 4 }, pool: { op: 'globalavg' } },
    heads: { main: { task: 'any', from: 'pool' }, map: { task: 'any', from: 'c' } },
  }

  const names = [
    '"""\nimport os\nraise SystemExit(3)',
    "'''\r\nraise SystemExit(3)",
    'a\u2028raise SystemExit(3)\u0085raise SystemExit(3)\x0craise SystemExit(3)\x0b\x00',
    'coding: utf-7 +AAo-raise SystemExit(3)',
    '-*- coding: rot13 -*-',
    '\u202egnp.txt\u2066 \ud800 \\ {samples} $& $1',
  ]

  test('keeps a name to its comment, whatever it holds', () => {
    const plan = planOf(makeNetwork(tiny))
    const linesOf = (name: string) => pytorchCode(plan, { name, texts }).split('\n')
    const [, , comment, ...rest] = linesOf('plain')
    expect(comment).toBe('# plain')
    for (const name of names) {
      const [, , ours, ...others] = linesOf(name)
      expect(ours).toMatch(/^# [\P{C}]+$/u)
      expect(others).toEqual(rest)
    }
  })

  test('runs alone on a random sample, whatever its name', async () => {
    const plan = planOf(makeNetwork(tiny))
    const files = ['tiny', ...names].map((name) => pytorchCode(plan, { name, texts }))
    const answer = 'main (1, 4)\nmap (1, 4, 32, 32)\n'
    expect(await runAlone(files)).toBe(answer.repeat(files.length))
  })

  test('calls no layer or input by a word of Python or PyTorch, nor two by one name', async () => {
    const relu = (input: string) => ({ op: 'conv', out: 2, in: [input] })
    const words = [
      'forward',
      'type',
      'train',
      'lambda',
      'torch',
      'nn',
      'self',
      'x',
      'x1',
      'pad_sides',
      'a__b',
    ]
    const chain = words.map((word, k) => [word, relu(words[k - 1] ?? 'class')])
    const plan = planOf(
      makeNetwork({
        inputs: { class: { kind: 'image', channels: 3, size: [6, 6] } },
        blocks: { two: { nodes: { b: { op: 'conv', out: 2, in: 'x' } } } },
        nodes: {
          ...Object.fromEntries(chain),
          a: { op: 'two', in: ['a__b'] },
          end: { op: 'add', in: ['a', 'forward'] },
          wide: { op: 'pad', in: ['end'] },
        },
        heads: { lambda: { task: 'any', from: 'wide' }, import: { task: 'any', from: 'x' } },
      }),
    )
    expect(await compare(plan, 'words')).toMatchObject({ isEqual: true, learn: plan.learn })
  })
})
