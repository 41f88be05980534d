import type { FoundWeights, PlanLayer } from '@neuroloom/contract/toolbox/inspection'

type Tensor = FoundWeights['tensors'][number]
export type Row = {
  name: string
  op: string
  output: string
  parameters: number
  bytes: number
  macs: number | null
  /** Null = the whole input; undefined = not known. */
  field: string | null | undefined
  tensors: readonly Tensor[]
}

/** One row a layer in the network's order, tensors of no known layer after them. */
export function rowsOf({ layers, tensors }: FoundWeights, plan: readonly PlanLayer[] | null): Row[] {
  const byLayer = new Map<string, Tensor[]>()
  for (const tensor of tensors) byLayer.set(tensor.layer, [...(byLayer.get(tensor.layer) ?? []), tensor])
  const known = plan ?? layers.map((layer) => ({ ...layer, macs: null, field: undefined }))
  const named = new Set(known.map(({ name }) => name))
  const loose = [...byLayer.keys()]
    .filter((name) => !named.has(name))
    .map((name) => ({ name, op: '', output: null, macs: null, field: undefined }))
  return [...known, ...loose].map(({ name, op, output, macs, field }) => {
    const own = byLayer.get(name) ?? []
    const sum = (part: 'parameters' | 'bytes'): number => own.reduce((all, one) => all + one[part], 0)
    const sizes = { parameters: sum('parameters'), bytes: sum('bytes') }
    return { name, op, output: output ?? '', macs, field, ...sizes, tensors: own }
  })
}

const columns = [
  ...[
    'layer',
    'type',
    'output',
    'macs',
    'receptive_field',
    'tensor',
    'format',
    'shape',
    'parameters',
    'bytes',
  ],
  ...['min', 'max', 'mean', 'std', 'zeros', 'not_finite', 'quiet_filters', 'relative_change', 'cosine'],
]

/** The whole table, one line a tensor, in English words for other programs. */
export function csvOf(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const layer = [row.name, row.op, row.output, row.macs, row.field]
    if (row.tensors.length === 0) return [layer]
    return row.tensors.map(({ name, format, shape, parameters, bytes, figures, compared }) => [
      ...layer,
      ...[name, format, shape.join(' x '), parameters, bytes],
      ...[figures?.min, figures?.max, figures?.mean, figures?.std, figures?.zeros, figures?.notFinite],
      ...[figures?.quiet, compared?.change, compared?.cosine],
    ])
  })
  return `${[columns, ...lines].map((line) => columns.map((_, k) => cell(line[k])).join(',')).join('\r\n')}\r\n`
}

/** Names come from strangers' files: a sheet must not take one for a formula. */
function cell(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
