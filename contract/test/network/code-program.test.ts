import { pytorchCode } from '@neuroloom/contract/network/code/code'
import { importsOf, programParts } from '@neuroloom/contract/network/code/program'
import { parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { describe, expect, test } from 'vitest'
import { builtIn, library, makeNetwork, wireText } from './wire.ts'

const files = programFiles.map((name) => wireText(`program/${name}.py`))
const texts = parsePytorchTexts(JSON.parse(wireText('pytorch.json')), files)

function programOf(document: Parameters<typeof resolve>[0]): string {
  const { plan } = resolve(document, library)
  if (plan === null) throw new Error('no plan')
  return pytorchCode(plan, { name: 'a network', texts })
}

const definitions = (code: string): string[] =>
  [...code.matchAll(/^(?:def|class) (\w+)/gm)].map(([, name = '']) => name)

describe('a generated program', () => {
  test('brings along what its task needs, and nothing of other tasks', () => {
    const naming = programOf(builtIn('small_resnet'))
    expect(definitions(naming)).toEqual(
      expect.arrayContaining(['Net', 'Trained', 'name_classes', 'read_levels']),
    )
    for (const name of ['find_boxes', 'mark_volume', 'tiled', 'enlarged', 'fit']) {
      expect(definitions(naming)).not.toContain(name)
    }
    expect(naming).toContain('newer with PyTorch 1.13 or newer, numpy and Pillow.')
    const volumes = programOf(builtIn('unet3d'))
    expect(definitions(volumes)).toEqual(expect.arrayContaining(['mark_volume', 'read_volume', 'write_mask']))
    expect(definitions(volumes)).not.toContain('read_levels')
    expect(volumes).toContain('PyTorch 1.13 or newer and numpy.')
    expect(volumes).not.toContain('from PIL')
  })

  test('is the network alone where no task says how a file becomes an answer', () => {
    const code = programOf(
      makeNetwork({ nodes: { c: { op: 'conv', out: 4 } }, heads: { main: { task: 'any', from: 'c' } } }),
    )
    expect(definitions(code)).toEqual(['Net', 'load_weights'])
    expect(code).toContain('# The network alone, as it is drawn:')
    expect(code).not.toContain('numpy')
  })
})

test('no two parts of programs have one name, nor a name that a layer brings along', () => {
  const names = [
    ...programParts(files).map(({ name }) => name),
    ...texts.helpers.keys(),
    'Net',
    'load_weights',
  ]
  expect(names.filter((name, k) => names.indexOf(name) !== k)).toEqual([])
  expect(names).not.toContain('')
})

test('every module that the files take in is one that programs take in', () => {
  const wanted = files.flatMap((text) =>
    [...text.matchAll(/^(?:import|from) ([\w.]+)/gm)].map(([, name]) => name),
  )
  const own = new Set<string | undefined>(['__future__', 'network', ...programFiles])
  const known = importsOf(files.flatMap((text) => text.split('\n'))).join('\n')
  expect(
    wanted.filter((name) => !own.has(name) && !new RegExp(`(import|from) ${name}\\b`).test(known)),
  ).toEqual([])
})
