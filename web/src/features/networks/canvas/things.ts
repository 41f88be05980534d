/** What stands on the canvas, and the wires between: plain values, which `scene.ts` makes. */
import type { Node } from '@neuroloom/contract/network/document/document'
import type { Slot } from '@neuroloom/contract/network/edit/slots'
import type { TensorType } from '@neuroloom/contract/network/resolve/plan'
import type { Direction, Point, Size } from './geometry.ts'

/** `port` and `outlet` are the inputs and outputs of an opened block, `frame` is such a block itself. */
type ItemKind = 'layer' | 'block' | 'frame' | 'input' | 'port' | 'outlet' | 'head'

export interface Item extends Size {
  path: string
  /** Path of the frame around it, '' at the top. */
  parent: string
  /** What edits call it: a node's id, an input's name, `heads.main`, `outputs.out`. */
  id: string
  kind: ItemKind
  node: Node | null
  slots: readonly Slot[]
  /** Names of outputs; '' is the only one. */
  outlets: readonly string[]
  isReadOnly: boolean
  direction: Direction
  /** Upper left corner, inside the frame around it. */
  x: number
  y: number
}

export interface Wire {
  id: string
  source: string
  outlet: string
  target: string
  slot: number
  isReadOnly: boolean
  /** null: it waits for a mistake before it. */
  type: TensorType | null
  /** Corners inside the frame around it that it passes; empty for the straight way. */
  via: readonly Point[]
}
