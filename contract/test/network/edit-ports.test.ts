import type { Document } from '@neuroloom/contract/network/document/document'
import { explicit } from '@neuroloom/contract/network/edit/edit'
import { type Port, removePort, renamePort } from '@neuroloom/contract/network/edit/ports'
import { refsOf } from '@neuroloom/contract/network/edit/slots'
import { resolve } from '@neuroloom/contract/network/resolve/resolve'
import { writeYaml } from '@neuroloom/contract/network/yaml/write'
import { describe, expect, test } from 'vitest'
import { library, makeNetwork } from './wire.ts'

/** Two ways in, two ways out; used at the top by name and bare, and passed on by a block around it. */
const document = explicit(
  makeNetwork({
    inputs: {
      image: { kind: 'image', channels: 4, size: [32, 32] },
      mask: { kind: 'image', channels: 4, size: [32, 32] },
    },
    blocks: {
      part: {
        inputs: ['x', 'skip'],
        nodes: {
          a: { op: 'conv', in: 'x', out: '=skip.c' },
          b: { op: 'add', in: ['a', 'skip'] },
        },
        outputs: { near: 'a', far: 'b' },
      },
      around: {
        inputs: ['x'],
        nodes: { inner: { op: 'part', in: ['x', 'x'] } },
        outputs: { one: 'inner.near', two: 'inner.far' },
      },
      silent: { inputs: ['x'], nodes: { last: { op: 'conv', in: 'x', out: 4 } } },
    },
    nodes: {
      first: { op: 'part', in: { skip: 'mask', x: 'image' } },
      bare: { op: 'relu', in: 'first' },
      named: { op: 'relu', in: 'first.far' },
      outer: { op: 'around', in: 'first.near' },
      sum: { op: 'add', in: ['outer.one', 'outer.two'] },
      quiet: { op: 'silent', in: 'sum' },
    },
    heads: { main: { task: 'x', from: 'first' }, side: { task: 'x', from: 'first.far' } },
  }),
  library,
)

const shown = (after: Document) =>
  writeYaml(after, library)
    .split('\n')
    .map((line) => line.trim())
const input = (name: string, block = 'part'): Port => ({ block, side: 'input', name })
const output = (name: string, block = 'part'): Port => ({ block, side: 'output', name })

function without(port: Port): Document {
  const result = removePort(document, port, library)
  if ('refused' in result) throw new Error(result.refused)
  return result.document
}

/** What each node reads. */
const wires = ({ nodes }: Pick<Document, 'nodes'>) =>
  Object.fromEntries([...nodes].map(([id, node]) => [id, refsOf(node)]))

describe('taking a port away', () => {
  test('an input goes with what read it inside and what fed it outside', () => {
    const after = without(input('skip'))
    const part = after.blocks.get('part')
    expect(part?.inputs).toEqual(['x'])
    expect(part && wires(part)).toEqual({ a: ['x'], b: ['a'] })
    expect(wires(after)).toEqual({ ...wires(document), first: ['image'] })
  })

  test('the first input leaves the second with what fed it', () => {
    const after = without(input('x'))
    const part = after.blocks.get('part')
    expect(part?.inputs).toEqual(['skip'])
    expect(part && wires(part)).toEqual({ a: [], b: ['a', 'skip'] })
    expect(wires(after)).toEqual({ ...wires(document), first: ['mask'] })
  })

  test('the first output goes with its readers, named and bare; the second keeps its own', () => {
    const after = without(output('near'))
    expect([...(after.blocks.get('part')?.outputs ?? [])]).toEqual([['far', 'b']])
    expect([...(after.blocks.get('around')?.outputs ?? [])]).toEqual([['two', 'inner.far']])
    expect(wires(after)).toEqual({ ...wires(document), bare: [], outer: [], sum: ['outer.two'] })
    expect([...after.heads].map(([, { from }]) => from)).toEqual([new Map(), 'first.far'])
  })

  test('the second output leaves who reads the first', () => {
    const after = without(output('far'))
    expect([...(after.blocks.get('around')?.outputs ?? [])]).toEqual([['one', 'inner.near']])
    expect(wires(after)).toEqual({ ...wires(document), named: [], sum: ['outer.one'] })
    expect([...after.heads].map(([, { from }]) => from)).toEqual(['first', new Map()])
  })

  test.each([
    ['the only input', input('x', 'around'), { refused: 'lastInput', block: 'around' }],
    ['the silent output', output('out', 'silent'), { refused: 'lastOutput', block: 'silent' }],
  ])('%s stays', (_what, port, refusal) => {
    expect(removePort(document, port, library)).toEqual(refusal)
  })

  test('an output stays that is the only one of a block around it', () => {
    const once = removePort(document, output('two', 'around'), library)
    if ('refused' in once) throw new Error(once.refused)
    expect(removePort(once.document, output('near'), library)).toEqual({
      refused: 'lastOutput',
      block: 'around',
    })
  })

  test('what is not there changes nothing', () => {
    for (const port of [input('none'), output('none'), input('x', 'nobody')]) {
      expect(removePort(document, port, library)).toEqual({ document })
    }
  })
})

describe('naming a port anew', () => {
  test('an input is followed by readers, formulas and users; the network means the same', () => {
    const after = renamePort(document, input('skip'), 'side', library)
    const lines = shown(after)
    expect(lines).toContain('inputs: [x, side]')
    expect(lines).toContain('a: {op: conv, in: x, out: =side.c}')
    expect(lines).toContain('b: {op: add, in: [a, side]}')
    expect(resolve(after, library)).toEqual(resolve(document, library))
  })

  test('an output is followed by readers, heads and blocks around it', () => {
    const after = renamePort(document, output('far'), 'deep', library)
    const lines = shown(after)
    expect(lines).toContain('outputs: {near: a, deep: b}')
    expect(lines).toContain('named: {op: relu, in: first.deep}')
    expect(lines).toContain('outputs: {one: inner.near, two: inner.deep}')
    expect(lines).toContain('side: {task: x, from: first.deep}')
    expect(resolve(after, library).errors).toEqual(resolve(document, library).errors)
  })

  test('a silent output gets its name', () => {
    expect(shown(renamePort(document, output('out', 'silent'), 'y', library))).toContain('outputs: {y: last}')
  })

  test.each([
    ['a node has it', input('skip'), 'a'],
    ['another input has it', input('skip'), 'x'],
    ['it is no name', input('skip'), 'Not a name'],
    ['formulas mean something else by it', input('skip'), 'in'],
    ['another output has it', output('far'), 'near'],
    ['the port is not there', output('none'), 'free'],
  ])('is refused where %s', (_why, port, next) => {
    expect(renamePort(document, port, next, library)).toBe(document)
  })
})
