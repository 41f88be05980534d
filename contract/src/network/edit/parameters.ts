/** Numbers inside a block that may become its parameters. */
import { type Document, isReservedParam, networkLimits, type ParamValue } from '../document/document.ts'
import { isId } from '../resolve/schema-map.ts'
import { mapMap, withBlock } from './graph.ts'
import { Names } from './names.ts'

export interface BlockNumber {
  /** What the parameter would be called. */
  name: string
  value: number
  /** Every setting that has this number under this name. */
  places: { node: string; param: string }[]
}

/** Numbers that differ from the layers' own defaults; the same number under the same name counts once. */
export function parametersOf(document: Document, blockName: string): BlockNumber[] {
  const block = document.blocks.get(blockName)
  if (block === undefined) return []
  const names = new Names([...block.inputs, ...block.params.keys(), 'in', 'i'])
  const found = new Map<string, BlockNumber>()
  for (const [node, { params }] of block.nodes) {
    for (const [param, value] of params) {
      if (typeof value !== 'number') continue
      const key = `${param} ${value}`
      const known = found.get(key)
      if (known !== undefined) known.places.push({ node, param })
      else found.set(key, { name: names.make(param), value, places: [{ node, param }] })
    }
  }
  return [...found.values()]
}

/** The number becomes the default of a new parameter, so that every use of the block stays as it is. */
export function liftParameter(
  document: Document,
  blockName: string,
  { name, value, places }: BlockNumber,
): Document {
  const block = document.blocks.get(blockName)
  const isTaken = block?.params.has(name) === true || block?.inputs.includes(name) === true
  if (block === undefined || isTaken || !isId(name) || isReservedParam(name)) return document
  if (block.params.size >= networkLimits.inputs) return document
  const wanted = new Set(places.map(({ node, param }) => `${node} ${param}`))
  const lifted = (node: string) => (old: ParamValue, param: string) =>
    old === value && wanted.has(`${node} ${param}`) ? `=${name}` : old
  return withBlock(document, blockName, ({ nodes, params, ...rest }) => ({
    ...rest,
    params: new Map(params).set(name, { default: value }),
    nodes: mapMap(nodes, (node, id) => ({ ...node, params: mapMap(node.params, lifted(id)) })),
  }))
}
