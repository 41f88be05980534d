import { pytorchCode } from '@neuroloom/contract/network/code/code'
import { parsePytorchTexts, programFiles } from '@neuroloom/contract/network/code/texts'
import { readDocument } from '@neuroloom/contract/network/document/document'
import { groupNodes } from '@neuroloom/contract/network/edit/blocks'
import { addNode, renameNode } from '@neuroloom/contract/network/edit/edit'
import { renameKnob } from '@neuroloom/contract/network/edit/frame'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { isId } from '@neuroloom/contract/network/resolve/schema-map'
import { patchYaml } from '@neuroloom/contract/network/yaml/patch'
import { describe, expect, test } from 'vitest'
import { library, makeDocument, makeNetwork, wireText } from './wire.ts'

describe('names of layers, inputs and parameters', () => {
  test.each(['stem', 'a1', '编码器', '编码器2', 'слой_1', 'ёлка', 'größe', 'κ', 'レイヤー', '층', 'परत'])(
    'may be %s',
    (name) => {
      expect(isId(name)).toBe(true)
    },
  )

  test.each([
    ['nothing', ''],
    ['a digit first', '1a'],
    ['a line first', '_a'],
    ['a capital letter', 'Stem'],
    ['a capital letter of another script', 'Слой'],
    ['a blank', 'a b'],
    ['a dot, which leads to a port', 'a.b'],
    ['a slash, which leads into a block', 'a/b'],
    ['a sign', 'a-b'],
    ['a picture', '🧠'],
    ['letters in parts, which look like others', 'и\u0306'],
    ['wide letters, which look like others', 'ａ'],
    ['a letter that cannot be seen', 'a\u200bb'],
    ['writing that turns round', 'a\u202eb'],
    ['letters of two scripts that look alike', 'conv\u0430'],
    ['more than forty letters', 'я'.repeat(41)],
  ])('may not be %s', (_why, name) => {
    expect(isId(name)).toBe(false)
    const { problems } = readDocument({ ...raw, nodes: { [name]: 'relu' } })
    expect(problems.map(({ code }) => code)).toContain('bad_id')
  })
})

const raw = {
  dripe: 1,
  name: 'x',
  task: 'x',
  inputs: { 图像: { kind: 'image', channels: 3, size: [32, 32] } },
  nodes: {},
}
const heads = { main: { task: 'classification', from: 'классы' } }
const params = { ширина: 8, 类别: { type: 'int', default: 3, role: 'classes' } }
const nodes = {
  编码器: { op: 'conv', in: '图像', out: '=ширина*2' },
  свёртка: { op: 'conv', in: '编码器', out: '=图像.c + ширина' },
  gap: { op: 'globalavg', in: 'свёртка' },
  классы: { op: 'linear', in: 'gap', out: '=类别' },
}
const document = makeNetwork({ ...raw, params, nodes, heads })

test('in any script mean the same to formulas, text and edits', () => {
  const { errors, types } = resolve(document, library)
  expect(errors).toEqual([])
  expect(types.get('свёртка')).toMatchObject({ c: 11 })
  expect(resolve(makeDocument(patchYaml('', document, library)), library).types).toEqual(types)
  const renamed = renameKnob(renameNode(document, null, '编码器', 'кодер'), 'ширина', '宽度')
  expect(renamed.nodes.get('свёртка')).toMatchObject({ in: 'кодер' })
  expect(renamed.nodes.get('свёртка')?.params.get('out')).toBe('=图像.c + 宽度')
  const grouped = groupNodes(renamed, null, ['кодер', 'свёртка'], 'Блок', library)
  expect(grouped).toMatchObject({ id: 'блок', block: 'блок' })
  if ('document' in grouped) expect(resolve(grouped.document, library).errors).toEqual([])
  expect(addNode(document, null, { op: 'relu', id: '激活' }, library).id).toBe('激活')
})

const texts = parsePytorchTexts(
  JSON.parse(wireText('pytorch.json')),
  programFiles.map((file) => wireText(`program/${file}.py`)),
)

test('stay names in the Python program', () => {
  const { plan } = resolve(document, library)
  if (plan === null) throw new Error('no plan')
  const code = pytorchCode(plan, { name: 'Net', texts })
  for (const id of ['编码器', 'свёртка', 'классы']) expect(code).toContain(`self.${id} = `)
})
