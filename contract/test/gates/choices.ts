/** Counts how often each choice of each layer was met: its switches and words, the kinds and ranks of its input. */
import type { Catalogue, OpEntry } from '@neuroloom/contract/network/catalogue'
import type { Plan, TensorType } from '@neuroloom/contract/network/resolve/plan'

export class Choices {
  private readonly met: Map<string, number>

  constructor(catalogue: Catalogue) {
    const all = [...catalogue].flatMap(([op, entry]) => choicesOf(entry).map((choice) => `${op} ${choice}`))
    this.met = new Map(all.map((choice) => [choice, 0]))
  }

  count(plan: Plan): void {
    const types = new Map<string, TensorType>(plan.nodes.map(({ id, type }) => [id, type]))
    for (const [name, type] of Object.entries(plan.inputs)) types.set(`@${name}`, type)
    for (const { op, params, in: sources } of plan.nodes) {
      const [first] = Object.values(sources)
      const type = first === undefined ? undefined : types.get(first)
      if (type !== undefined) this.add(`${op} ${kindOf(type)}`)
      for (const [name, value] of Object.entries(params)) this.add(`${op} ${name}=${value}`)
    }
  }

  rarerThan(least: number): string[] {
    return [...this.met].filter(([, times]) => times < least).map(([choice]) => choice)
  }

  private add(choice: string): void {
    const times = this.met.get(choice)
    if (times !== undefined) this.met.set(choice, times + 1)
  }
}

function choicesOf({ params, in: [port], ranks = [1, 2, 3] }: OpEntry): string[] {
  const kinds = (port?.kinds.split('|') ?? []).flatMap((kind) =>
    kind === 'map' ? ranks.map((rank) => `map ${rank}-D`) : [kind],
  )
  const words = [...params].flatMap(([name, param]) => {
    if (param.t === 'bool') return [`${name}=true`, `${name}=false`]
    return (param.enum ?? []).map((word) => `${name}=${word}`)
  })
  return [...kinds, ...words]
}

function kindOf(type: TensorType): string {
  return type.k === 'map' ? `map ${type.s.length}-D` : type.k
}
