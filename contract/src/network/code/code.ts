/** Writes a plan as one file of plain PyTorch that runs alone. Pure: the texts of the layers are given. */

import { type CarriedCode, carriedLines, carriedTexts } from '../../recipes/carried.ts'
import type { Plan, PlanNode, TensorType } from '../resolve/plan.ts'
import { type LayerCode, layerCode, pythonText } from './layer.ts'
import { commentText, PythonNames, plainName, Slots } from './names.ts'
import { importsOf, programLines, wayOf } from './program.ts'
import type { PytorchTexts } from './texts.ts'

type Options = {
  name: string
  texts: PytorchTexts
  /** Of a network that learned from prepared files: what prepares others. */
  carried?: CarriedCode
}

export function pytorchCode(plan: Plan, { name, texts, carried }: Options): string {
  const layers = layersOf(plan, texts)
  const way = wayOf(plan)
  const code = [
    ...helpersFor([...layers.init, ...layers.forward], texts),
    ...netOf(layers),
    ...loaderOf(layers.names, texts),
    ...(way === null ? [] : programLines(way, texts.program, carried ? ['', ...carriedLines] : [])),
    ...mainOf(plan, texts),
  ]
  // Annotations of the program's own functions are for readers, of whatever Python.
  const future = way === null ? [] : ['from __future__ import annotations', '']
  const prepares = way === null || !carried ? [] : ['', ...carriedTexts(carried), '']
  return [...headerOf(plan, name), ...future, ...importsOf(code), ...prepares, '', ...code, ''].join('\n')
}

/** The name must not stand in the first two lines: there Python takes `coding: …` in a comment for the file's encoding. */
function headerOf(plan: Plan, name: string): string[] {
  const { learn, macs, nodes, inputs, heads } = plan
  const types = typesOf(plan)
  const shape = (key: string, type: TensorType | undefined) =>
    `${key} ${type === undefined ? '' : tupleOf(type, 'batch')}`
  const taken = Object.entries(inputs).map(([key, type]) => shape(key, type))
  const given = Object.entries(heads).map(([key, { from }]) => shape(key, types.get(from)))
  const count = (value: number) => value.toLocaleString('en')
  return [
    `# Written by Neuroloom. Needs Python 3.10 or newer with PyTorch 1.13 or newer${wayOf(plan)?.needs ?? ''}.`,
    '#',
    `# ${commentText(name)}`,
    `# ${nodes.length} layers, ${count(learn)} learnable numbers, ${count(macs)} multiply-adds a sample`,
    `# in: ${commentText(taken.join(', '))}`,
    `# out: ${commentText(given.join(', '))}`,
    '#',
    ...usageOf(plan),
    '',
  ]
}

/** What was learned, and how files are prepared, stands in the weights alone. */
function usageOf(plan: Plan): string[] {
  const way = wayOf(plan)
  const network = ['#   net = Net()', '#   load_weights(net, "weights.safetensors")', '#   net.eval()']
  if (way === null) return ['# The network alone, as it is drawn:', ...network]
  return [
    '# From a file to the answer, as the product gives it, with the weights of a training of this very network.',
    '# They alone say what was learned, and how files are prepared; without them there is no answer.',
    `#   python THIS_FILE weights.safetensors ${way.file}`,
    '# or in Python:',
    `#   Trained("weights.safetensors").predict("${way.file}")`,
    '#',
    '# The network alone wants what has been normalised, and answers in numbers before softmax and the like:',
    ...network,
  ]
}

interface Layers {
  /** Lines of `__init__`. */
  init: string[]
  /** Lines of `forward`. */
  forward: string[]
  inputs: string[]
  /** Layers whose name in Python is not their path by the plain rule. */
  names: [path: string, name: string][]
}

function layersOf(plan: Plan, texts: PytorchTexts): Layers {
  const types = typesOf(plan)
  const taken = new PythonNames(texts.reserved)
  const inputs = Object.keys(plan.inputs).map((name) => taken.take(name))
  const attributes = new Map<string, string>()
  const codes = new Map<string, LayerCode>()
  const init = new Section()
  for (const node of plan.nodes) {
    const sources = Object.values(node.in).flatMap((id) => types.get(id) ?? [])
    const code = layerCode(node, sources, texts)
    codes.set(node.id, code)
    if (code.make === '' || node.share !== null) continue
    const name = taken.take(node.id)
    attributes.set(node.id, name)
    init.add(node, `self.${name} = ${code.make}`)
  }
  const call = (node: PlanNode, sources: string[]) =>
    codes.get(node.id)?.run(sources, `self.${attributes.get(node.share ?? node.id)}`) ?? ''
  const names = [...attributes].filter(([path, name]) => name !== plainName(path))
  return { init: init.lines, forward: forwardLines(plan, inputs, call), inputs, names }
}

/** Each tensor has a local name until its last reader is done. */
function forwardLines(
  plan: Plan,
  inputs: readonly string[],
  call: (node: PlanNode, sources: string[]) => string,
): string[] {
  const slots = new Slots((name) => inputs.includes(name))
  const names = new Map(Object.keys(plan.inputs).map((input, k) => [`@${input}`, inputs[k] ?? input]))
  const readers = readersOf(plan)
  const section = new Section()
  for (const node of plan.nodes) {
    const ids = Object.values(node.in)
    const text = call(
      node,
      ids.map((id) => names.get(id) ?? ''),
    )
    for (const id of new Set(ids)) {
      const left = (readers.get(id) ?? 0) - ids.filter((other) => other === id).length
      readers.set(id, left)
      const name = names.get(id)
      if (left === 0 && name !== undefined && !id.startsWith('@')) slots.release(name)
    }
    const name = slots.take()
    names.set(node.id, name)
    if ((readers.get(node.id) ?? 0) === 0) slots.release(name)
    if (name !== text) section.add(node, `${name} = ${text}`)
  }
  return [...section.lines, `return ${answerOf(plan, names)}`]
}

function readersOf({ nodes, heads }: Plan): Map<string, number> {
  const readers = new Map<string, number>()
  const add = (id: string) => readers.set(id, (readers.get(id) ?? 0) + 1)
  for (const node of nodes) for (const id of Object.values(node.in)) add(id)
  for (const { from } of Object.values(heads)) add(from)
  return readers
}

/** One head answers with its tensor, several with a dictionary. */
function answerOf({ heads }: Plan, names: ReadonlyMap<string, string>): string {
  const answers = Object.entries(heads).map(([head, { from }]) => [head, names.get(from) ?? ''] as const)
  const [first] = answers
  if (first !== undefined && answers.length === 1) return first[1]
  return `{${answers.map(([head, name]) => `${pythonText(head)}: ${name}`).join(', ')}}`
}

/** Lines under the path of the block that they belong to. */
class Section {
  readonly lines: string[] = []
  private block = ''

  add({ id }: PlanNode, line: string): void {
    const block = id.split('/').slice(0, -1).join('/')
    if (block !== this.block && block !== '') this.lines.push(`# ${commentText(block)}`)
    this.block = block
    this.lines.push(line)
  }
}

function netOf({ init, forward, inputs }: Layers): string[] {
  const indent = (line: string) => `        ${line}`
  return [
    'class Net(nn.Module):',
    '    def __init__(self):',
    '        super().__init__()',
    ...init.map(indent),
    '',
    `    def forward(self, ${inputs.join(', ')}):`,
    ...forward.map(indent),
    '',
    '',
  ]
}

/** The helpers that these lines name, and those that they name in turn, in the order of the texts. */
function helpersFor(lines: readonly string[], { helpers }: PytorchTexts): string[] {
  const wanted = new Set<string>()
  const want = (texts: readonly string[]) => {
    const words = new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []))
    for (const [name, text] of helpers) {
      if (!words.has(name) || wanted.has(name)) continue
      wanted.add(name)
      want(text)
    }
  }
  want(lines)
  return [...helpers].filter(([name]) => wanted.has(name)).flatMap(([, text]) => [...text, '', ''])
}

function loaderOf(names: readonly [string, string][], { loader }: PytorchTexts): string[] {
  const entries = names.map(([path, name]) => `    ${pythonText(path)}: ${pythonText(name)},`)
  const own = entries.length === 0 ? ['NAMES = {}'] : ['NAMES = {', ...entries, '}']
  return [
    '# Layers that are called otherwise here than in a weights file.',
    ...own,
    '',
    '',
    ...loader,
    '',
    '',
  ]
}

function mainOf({ inputs, heads }: Plan, { main }: PytorchTexts): string[] {
  const samples = Object.values(inputs).map((type) => `torch.randn${tupleOf(type, '1')}`)
  const [first = 'main'] = Object.keys(heads)
  return main.map((line) =>
    line.replace('{samples}', () => samples.join(', ')).replace('{first}', () => pythonText(first)),
  )
}

function typesOf({ nodes, inputs }: Pick<Plan, 'nodes' | 'inputs'>): Map<string, TensorType> {
  const types = new Map(nodes.map(({ id, type }) => [id, type]))
  for (const [name, type] of Object.entries(inputs)) types.set(`@${name}`, type)
  return types
}

function tupleOf(type: TensorType, batch: string): string {
  const sizes = type.k === 'map' ? [type.c, ...type.s] : type.k === 'seq' ? [type.n, type.c] : [type.c]
  return `(${[batch, ...sizes].join(', ')})`
}
