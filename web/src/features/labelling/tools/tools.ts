/** Each tool by its name, the marks it makes, and the letter that chooses it. */
import type { Mark } from '@neuroloom/contract/labelling/classes'
import { filling, threshold, wand } from './assisting.ts'
import { box } from './box.ts'
import { brush } from './brush.ts'
import { cross } from './cross.ts'
import { type ToolName, type WireForm, wireForms } from './desk.ts'
import { outline } from './outline.ts'
import { points } from './points.ts'
import { select } from './select.ts'
import { superpixels } from './superpixels.ts'
import type { Tool } from './tool.ts'
import { wire } from './wire.ts'

export const makeTools = (): Record<ToolName, Tool> => ({
  hand: { cursor: 'grab' },
  select: select(),
  cross: cross(),
  brush: brush('brush'),
  eraser: brush('eraser'),
  fill: filling(),
  wand: wand(),
  threshold: threshold(),
  superpixels: superpixels(),
  box: box(),
  polygon: outline('polygon'),
  line: outline('line'),
  wire: wire(),
  points: points(),
})

/** No marks: of every set. */
export const toolFacts: Record<ToolName, { letter: string; marks: readonly Mark[] }> = {
  hand: { letter: 'h', marks: [] },
  select: { letter: 'v', marks: [] },
  cross: { letter: 'c', marks: [] },
  brush: { letter: 'b', marks: ['pixels'] },
  eraser: { letter: 'e', marks: ['pixels'] },
  fill: { letter: 'f', marks: ['pixels'] },
  wand: { letter: 'w', marks: ['pixels'] },
  threshold: { letter: 't', marks: ['pixels'] },
  superpixels: { letter: 's', marks: ['pixels'] },
  box: { letter: 'r', marks: ['boxes'] },
  polygon: { letter: 'p', marks: ['outlines'] },
  line: { letter: 'l', marks: ['lines'] },
  wire: { letter: 'm', marks: ['outlines', 'pixels', 'lines'] },
  points: { letter: 'k', marks: ['points'] },
}

const markOf: Record<WireForm, Mark> = { outline: 'outlines', pixels: 'pixels', line: 'lines' }

/** What a wire may become in a set with these marks. */
export const wireFormsOf = (marks: readonly Mark[]): WireForm[] =>
  wireForms.filter((form) => marks.includes(markOf[form]))
