import { type Difference, diffDocuments } from '@neuroloom/contract/network/document/diff'
import { changeNode, renameNode } from '@neuroloom/contract/network/edit/edit'
import { renameKnob } from '@neuroloom/contract/network/edit/frame'
import { describe, expect, test } from 'vitest'
import { exampleIds, exampleText, library, makeDocument, makeNetwork } from './wire.ts'

const base = {
  params: { width: 8 },
  nodes: { a: { op: 'conv', out: 8 }, b: 'relu', c: { op: 'add', in: ['a', 'b'] } },
  heads: { main: { task: 'x', from: 'c' } },
}

function diff(before: Record<string, unknown>, after: Record<string, unknown>): Difference[] {
  return diffDocuments(makeNetwork(before), makeNetwork(after), library)
}

describe('the difference of two versions', () => {
  test.each(exampleIds)('%s is like itself', (id) => {
    expect(diffDocuments(makeDocument(exampleText(id)), makeDocument(exampleText(id)), library)).toEqual([])
  })

  test('counts neither defaults nor ways of writing', () => {
    const nodes = {
      a: { op: 'conv', in: ['image'], kernel: 3, out: 8 },
      b: { op: 'relu', in: 'a' },
      c: { op: 'add', in: { x: 'a', y: 'b' } },
    }
    expect(
      diff(base, { ...base, title: 'x', nodes: { ...nodes, c: { ...base.nodes.c, note: 'why' } } }),
    ).toEqual([])
  })

  test('says what came, went and changed', () => {
    const nodes = {
      a: { op: 'conv', out: 16, stride: 2, bias: false },
      n: { op: 'bn', in: 'a' },
      c: { op: 'add', in: ['a', 'n'] },
    }
    expect(diff(base, { ...base, nodes })).toEqual([
      {
        scope: null,
        id: 'a',
        kind: 'changed',
        changes: ['out: 8 → 16', 'stride: – → 2', 'bias: – → false'],
      },
      { scope: null, id: 'n', kind: 'added', changes: [] },
      { scope: null, id: 'c', kind: 'changed', changes: ['in: [a, b] → [a, n]'] },
      { scope: null, id: 'b', kind: 'removed', changes: [] },
    ])
  })

  test('sees inputs, heads and parameters of the network', () => {
    const after = {
      ...base,
      params: { width: 16, depth: 2 },
      inputs: { image: { kind: 'image', channels: 1, size: [32, 32] } },
      heads: { main: { task: 'x', from: 'b' } },
    }
    expect(diff(base, after).map(({ id, kind, changes }) => [id, kind, ...changes])).toEqual([
      ['@image', 'changed', 'channels: 3 → –'],
      ['heads.main', 'changed', 'from: c → b'],
      ['params.width', 'changed', '8 → 16'],
      ['params.depth', 'added'],
    ])
  })

  test('tells a bare parameter and a described one apart by what they say', () => {
    const described = { ...base, params: { width: { type: 'int', default: 8, role: 'classes' } } }
    const changes = ['type: – → int', 'role: – → classes']
    expect(diff(base, described)).toEqual([{ scope: null, id: 'params.width', kind: 'changed', changes }])
    expect(diff(described, { ...base, params: { width: 9 } })[0]?.changes).toEqual([
      'type: int → –',
      'default: 8 → 9',
      'role: classes → –',
    ])
  })

  test('knows a renamed node again, and its readers have not changed', () => {
    const before = makeNetwork(base)
    expect(diffDocuments(before, renameNode(before, null, 'a', 'first'), library)).toEqual([
      { scope: null, id: 'first', kind: 'changed', changes: ['name: a → first'] },
    ])
  })

  test('knows a renamed parameter again, and formulas that use it have not changed', () => {
    const before = makeNetwork({
      params: { width: 8, twice: '=2*width' },
      inputs: { image: { kind: 'image', channels: 3, size: ['=width', 16] } },
      nodes: { a: { op: 'conv', out: '=width', kernel: ['=width-5', 3], repeat: '=width//4' } },
      heads: { main: { task: 'x', from: 'a', factor: '=twice' } },
    })
    const renamed = renameKnob(before, 'width', 'wide')
    expect(diffDocuments(before, renamed, library)).toEqual([
      { scope: null, id: 'params.wide', kind: 'changed', changes: ['name: width → wide'] },
    ])
    const other = changeNode(renamed, null, 'a', { params: new Map([['out', '=wide+1']]) })
    expect(diffDocuments(before, other, library)).toContainEqual({
      scope: null,
      id: 'a',
      kind: 'changed',
      changes: ['out: =width → =wide+1'],
    })
  })

  test('tells changes of a local block in the block', () => {
    const block = (out: number, more = {}) => ({
      b: { params: { out }, nodes: { n: { op: 'conv', out: '=out' }, ...more } },
    })
    const nodes = { t: 'b' }
    expect(diff({ blocks: block(4), nodes }, { blocks: block(8, { m: 'relu' }), nodes })).toEqual([
      { scope: 'b', id: 'm', kind: 'added', changes: [] },
      { scope: 'b', id: 'params.out', kind: 'changed', changes: ['4 → 8'] },
    ])
    expect(diff({ blocks: block(4), nodes }, { nodes: { t: 'relu' } })).toEqual([
      { scope: null, id: 't', kind: 'changed', changes: ['op: b → relu'] },
      { scope: 'b', id: 'n', kind: 'removed', changes: [] },
      { scope: 'b', id: 'params.out', kind: 'removed', changes: [] },
    ])
    const outputs = (port: string) => ({ b: { nodes: { n: 'relu' }, outputs: { [port]: 'n' } } })
    expect(diff({ blocks: outputs('x1'), nodes }, { blocks: outputs('y1'), nodes })).toEqual([
      { scope: 'b', id: '', kind: 'changed', changes: ['outputs: {x1:n} → {y1:n}'] },
    ])
  })
})
