/** Asks the engine what PyTorch does with a plan: one Python process, a question a line, many on the way at once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Plan, PlanNode, TensorType } from '@neuroloom/contract/network/resolve/plan'

export const python = process.env.ENGINE_PYTHON ?? '/usr/bin/python3'
const engineRoot = fileURLToPath(new URL('../../../engine', import.meta.url))

export type Failed = { error: string }
/** Shape without the batch, learnable numbers, buffers. */
export type FoundNode = [number[], number, number]

interface Questions {
  nodes: { question: { plan: Plan }; answer: { nodes: FoundNode[]; error?: string } }
  layer: {
    question: { op: string; params: PlanNode['params']; inputs: readonly TensorType[] }
    answer: { shape: number[] } | Failed
  }
  counts: { question: { plan: Plan }; answer: { learn: number; buffers: number } | Failed }
  costs: { question: { plan: Plan }; answer: { kept: number; macs: number; isFused: boolean } | Failed }
  code: {
    question: { plan: Plan; code: string; weights: string; seed?: number }
    answer: { isEqual: boolean; difference: number; learn: number } | Failed
  }
  step: {
    question: { plan: Plan; half?: boolean }
    answer: { loss: number | null; without: string[]; wild: string[]; still: string[] } | Failed
  }
  half: { question: object; answer: { ops: string[] } }
  onnx: {
    question: { plan: Plan; folder: string }
    answer: { inputs: string[]; outputs: string[]; shapes: Record<string, number[]> } | Failed
  }
}

export class Engine {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, (answer: unknown) => void>()
  private asked = 0
  private errors = ''

  constructor() {
    this.child = spawn(python, ['-m', 'neuroloom_engine.graphs'], {
      env: { ...process.env, PYTHONPATH: engineRoot, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const { stdout, stderr } = this.child
    if (stdout === null || stderr === null) throw new Error('no pipes')
    stderr.on('data', (data) => {
      this.errors = (this.errors + String(data)).slice(-2000)
    })
    createInterface({ input: stdout }).on('line', (line) => {
      const answer: { id: number } = JSON.parse(line)
      this.waiting.get(answer.id)?.(answer)
      this.waiting.delete(answer.id)
    })
    this.child.on('close', (status) => {
      for (const answer of this.waiting.values()) {
        answer({ error: `the engine ended with ${status}: ${this.errors}`, nodes: [] })
      }
      this.waiting.clear()
    })
  }

  ask<Name extends keyof Questions>(
    name: Name,
    question: Questions[Name]['question'],
  ): Promise<Questions[Name]['answer']> {
    this.asked += 1
    const id = this.asked
    return new Promise((resolve) => {
      // The process answers each question in the form that goes with its name.
      this.waiting.set(id, resolve as (answer: unknown) => void)
      this.child.stdin?.write(`${JSON.stringify({ ask: name, id, ...question })}\n`)
    })
  }

  close(): void {
    this.child.stdin?.end()
  }
}

export function shapeOf(type: TensorType): number[] {
  if (type.k === 'map') return [type.c, ...type.s]
  return type.k === 'seq' ? [type.n, type.c] : [type.c]
}

/** What PyTorch built otherwise than the plan says; nothing when both agree. */
export function differences(plan: Plan, { nodes, error }: { nodes: FoundNode[]; error?: string }): string[] {
  const unlike = nodes.flatMap(([shape, learn, buffers], k) => {
    const node = plan.nodes[k]
    const planned = node && [shapeOf(node.type), node.learn, node.buffers]
    const found = JSON.stringify([shape, learn, buffers])
    if (node !== undefined && JSON.stringify(planned) === found) return []
    return [`${node?.id} (${node?.op}): planned ${JSON.stringify(planned)}, torch ${found}`]
  })
  if (error !== undefined) return [...unlike, `torch refuses ${error}`]
  return nodes.length === plan.nodes.length ? unlike : [...unlike, 'nodes are missing']
}
